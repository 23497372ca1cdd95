import { markdownOf } from '../text/html-to-markdown.ts'

/**
 * The plain text of Flowise's rich text editor, which stores HTML: `<p>http://a/b_c</p>` is `http://a/b_c`, a
 * mention `<span data-type="mention">{{ question }}</span>` is the place that it shows. Any other text stays as it is.
 */
export function plainText(text: string): string {
  return isRichText(text) ? markdownOf(text) : text
}

/** The editor's documents begin and end with a block. */
const isRichText = (text: string) =>
  /^\s*<(p|h[1-6]|ul|ol|pre|blockquote)\b[^>]*>[\s\S]*<\/(p|h[1-6]|ul|ol|pre|blockquote)>\s*$/i.test(text)
