/** A chapter of the guide: its title, the part of the address that leads to it, and its text in Markdown. */
export type Section = { id: string; title: string; text: string }

/**
 * The chapters of the guide, by its headings of the second level. Pictures of the studio are left out: the reader is in it.
 *
 * @param markdown the text of `docs/guide.md`
 */
export function sectionsOf(markdown: string): Section[] {
  return markdown
    .split(/^## /m)
    .slice(1)
    .map((chapter) => {
      const [title = '', ...lines] = chapter.split('\n')
      const text = lines.filter((line) => !/^(!\[|<picture>)/.test(line)).join('\n')
      return { id: title.toLowerCase().replaceAll(/[^a-z]+/g, '-'), title, text: text.trim() }
    })
}
