# the place of the first word behind a comment
plott(1)
