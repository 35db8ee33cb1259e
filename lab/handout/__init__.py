"""What is printed of a lesson: a handout for students, an answer sheet for teachers.

Both are made of the lesson's file alone, as the page is: whoever writes a lesson writes them, too.
"""
