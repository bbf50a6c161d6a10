/** What fills a screen and a half; a slow phone shows it in half the time of fifty. Apart, because it is
 *  asked for ahead of the list's code. */
export const PAGE = 25
