"""stub"""


def page(found, settings):
    return ""
