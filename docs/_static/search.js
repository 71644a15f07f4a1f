// Summaries of search results are fetched from the pages, which a browser refuses for files on disk.
if (typeof DOCUMENTATION_OPTIONS !== "undefined" && window.location.protocol === "file:") {
  DOCUMENTATION_OPTIONS.SHOW_SEARCH_SUMMARY = false;
}
