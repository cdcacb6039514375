"""Links by what they lead to."""

from .execute_util import link

__all__ = ["article_link", "blog_link", "link", "named_link", "tweet_link", "video_link", "x_link", "youtube_link"]


def named_link(title, url):
    return link(title=title, url=url)


def article_link(url):
    return link(title=" [article]", url=url)


def blog_link(url):
    return link(title=" [blog]", url=url)


def tweet_link(url):
    return link(title=" [tweet]", url=url)


def x_link(url):
    return link(title=" [X]", url=url)


def youtube_link(url):
    return link(title=" [video]", url=url)


video_link = youtube_link
