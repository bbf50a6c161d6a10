// What the pages of Starlight need for people who use a keyboard or a screen reader: whatever scrolls within
// itself can be focused and has a name, with and without script.

const plain = (html: string): string =>
  html
    .replace(/<[^>]+>/g, '')
    .replace(/\s+/g, ' ')
    .replaceAll('"', '&quot;')
    .trim()

/** Tables that are wider than a phone scroll in a box of their own, called after the heading above them. */
function withBoxes(html: string): string {
  let heading = ''
  const used = new Map<string, number>()
  return html.replace(/<h[1-4]\b[^>]*>([\s\S]*?)<\/h[1-4]>|<table>|<\/table>/g, (whole, text: string | undefined) => {
    if (text !== undefined) {
      heading = plain(text)
      return whole
    }
    if (whole === '</table>') return '</table></div>'
    const times = (used.get(heading) ?? 0) + 1
    used.set(heading, times)
    const name = `${heading || 'Table'}${times > 1 ? `, table ${times}` : ', table'}`
    return `<div class="scroll" tabindex="0" role="region" aria-label="${name}"><table>`
  })
}

export const polished = (html: string): string =>
  withBoxes(html).replace(/<pre data-language=/g, '<pre tabindex="0" data-language=')
