// Summaries of search results are fetched from the pages, which a browser refuses for files on disk.
if (window.DOCUMENTATION_OPTIONS && window.location.protocol === "file:") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}
