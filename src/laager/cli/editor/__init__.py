"""What `laager lsp` tells an editor while a file is typed: completion, help, problems."""
