"""The commands of `laager vasl`: maps from boards, marking them, labels in saves, looking into either.

Reading VASL's files is the part of `laager.vasl`; here are only options and printing.
"""
