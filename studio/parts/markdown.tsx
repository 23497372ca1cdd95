import { lexer, type Token, type Tokens } from 'marked'
import { Fragment, memo, type ReactNode } from 'react'
import { ScrollBox } from './scroll-box.tsx'
import styles from './markdown.module.css'
import { safeLink } from './safe-link.ts'

/** Text of a model. It is read as Markdown into React elements; HTML in it is shown as text, pictures as links. */
export const Markdown = memo(({ text }: { text: string }) => (
  <div className={styles.markdown}>{blocks(lexer(text))}</div>
))
Markdown.displayName = 'Markdown'

const each = (tokens: readonly Token[], show: (token: Token) => ReactNode): ReactNode[] =>
  // Tokens have no identity, and a text only grows at its end.
  // biome-ignore lint/suspicious/noArrayIndexKey: the position is the identity of a token
  tokens.map((token, at) => <Fragment key={at}>{show(token)}</Fragment>)

const blocks = (tokens: readonly Token[]): ReactNode[] => each(tokens, block)
const inlines = (tokens: readonly Token[] | undefined): ReactNode[] => each(tokens ?? [], inline)

function block(token: Token): ReactNode {
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading': {
      // The screen has headings of its own, so those of a text begin below them.
      const Heading = token.depth <= 1 ? 'h3' : token.depth === 2 ? 'h4' : 'h5'
      return <Heading>{inlines(token.tokens)}</Heading>
    }
    case 'paragraph':
      return <p>{inlines(token.tokens)}</p>
    case 'code':
      return (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: code that scrolls must scroll by keyboard too
        <pre tabIndex={0}>
          <code>{token.text}</code>
        </pre>
      )
    case 'blockquote':
      return <blockquote>{blocks(token.tokens ?? [])}</blockquote>
    case 'hr':
      return <hr />
    case 'list':
      return list(token as Tokens.List)
    case 'table':
      return table(token as Tokens.Table)
    case 'text':
      return 'tokens' in token && token.tokens ? inlines(token.tokens) : token.text
    case 'html':
      return <p>{token.text}</p>
    default:
      return token.raw
  }
}

function list({ ordered, start, items }: Tokens.List): ReactNode {
  const rows = items.map((item, at) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the position is the identity of an item
    <li key={at}>
      {item.task ? (
        <input type="checkbox" checked={item.checked ?? false} readOnly aria-label="Task" />
      ) : null}
      {blocks(item.tokens.filter(({ type }) => type !== 'checkbox'))}
    </li>
  ))
  return ordered ? <ol start={start === '' ? 1 : start}>{rows}</ol> : <ul>{rows}</ul>
}

const table = ({ header, rows }: Tokens.Table): ReactNode => (
  <ScrollBox className={styles.table}>
    <table>
      <thead>
        <tr>
          {header.map(({ tokens }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the position is the identity of a cell
            <th key={at}>{inlines(tokens)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((cells, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the position is the identity of a row
          <tr key={row}>
            {cells.map(({ tokens }, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the position is the identity of a cell
              <td key={at}>{inlines(tokens)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </ScrollBox>
)

function inline(token: Token): ReactNode {
  switch (token.type) {
    case 'strong':
      return <strong>{inlines(token.tokens)}</strong>
    case 'em':
      return <em>{inlines(token.tokens)}</em>
    case 'del':
      return <del>{inlines(token.tokens)}</del>
    case 'codespan':
      return <code>{token.text}</code>
    case 'br':
      return <br />
    case 'link':
      return link(token.href, inlines(token.tokens))
    case 'image':
      return link(token.href, token.text || token.href)
    case 'text':
    case 'escape':
      return 'tokens' in token && token.tokens ? inlines(token.tokens) : token.text
    default:
      return token.raw
  }
}

function link(address: string, content: ReactNode): ReactNode {
  const href = safeLink(address)
  return href === undefined ? (
    content
  ) : (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {content}
    </a>
  )
}
