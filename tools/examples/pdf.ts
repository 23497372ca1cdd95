import type { About, Block } from './blocks.ts'
import { type Font, widthOf } from './helvetica.ts'

/** All lengths in points, from the lower left corner of a US letter page. */
const PAGE = { width: 612, height: 792, left: 72, right: 540, top: 712, bottom: 76 }
const FONTS: Record<Font, string> = { F1: 'Helvetica', F2: 'Helvetica-Bold' }

/** Writes a PDF 1.4 of text, set in the built-in Helvetica: headings, lists, ruled tables, running head, page numbers. */
export function pdf(blocks: Block[], about: About): Buffer {
  const pages = layOut(blocks)
  const objects: string[] = []
  /** Adds an object and gives its number. */
  const add = (content: string) => objects.push(content)

  add('<</Type/Catalog/Pages 2 0 R/Lang(en-US)>>')
  const kids = pages.map((_, index) => `${4 + FONT_COUNT + 2 * index} 0 R`)
  add(`<</Type/Pages/Count ${pages.length}/Kids[${kids.join(' ')}]>>`)
  add(
    `<</Title${text(about.title)}/Author${text(about.author)}/Subject${text(about.subject)}/CreationDate(D:${about.created.toISOString().replace(/\D/g, '').slice(0, 14)}Z)>>`,
  )
  for (const name of Object.values(FONTS))
    add(`<</Type/Font/Subtype/Type1/BaseFont/${name}/Encoding/WinAnsiEncoding>>`)
  const fonts = Object.keys(FONTS).map((name, index) => `/${name} ${4 + index} 0 R`)
  for (const [index, drawing] of pages.entries()) {
    const stream = [...drawing, ...frameOf(about, index + 1, pages.length)].join('\n')
    const number = add(
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${PAGE.width} ${PAGE.height}]/Resources<</Font<<${fonts.join('')}>>>>/Contents ${objects.length + 2} 0 R>>`,
    )
    if (kids[index] !== `${number} 0 R`) throw new Error('a page is not where its parent says')
    add(`<</Length ${stream.length}>>\nstream\n${stream}\nendstream`)
  }
  return assemble(objects)
}

const FONT_COUNT = Object.keys(FONTS).length

/** Puts the objects behind each other, with the table that tells where each begins. */
function assemble(objects: string[]): Buffer {
  let file = '%PDF-1.4\n%\xe2\xe3\xcf\xd3\n'
  const offsets = objects.map((content, index) => {
    const offset = file.length
    file += `${index + 1} 0 obj\n${content}\nendobj\n`
    return offset
  })
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const end = `xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<</Size ${size}/Root 1 0 R/Info 3 0 R>>\nstartxref\n${file.length}\n%%EOF\n`
  return Buffer.from(file + end, 'latin1')
}

/** Sets the blocks into pages of drawing operators. */
function layOut(blocks: Block[]): string[][] {
  const pages: string[][] = [[]]
  let y = PAGE.top
  const room = (height: number) => {
    if (y - height >= PAGE.bottom) return
    pages.push([])
    y = PAGE.top
  }
  const draw = (...operators: string[]) => pages.at(-1)!.push(...operators)
  const flow = (words: string, font: Font, size: number, left = PAGE.left) => {
    for (const line of wrap(words, font, size, PAGE.right - left)) {
      room(size * 1.35)
      y -= size * 1.35
      draw(show(line, font, size, left, y))
    }
  }

  for (const block of blocks) {
    if (block.kind === 'heading') {
      const size = [22, 15, 12][block.level - 1]!
      if (block.level > 1) y -= size * 0.7
      room(size * 4)
      flow(block.text, 'F2', size)
      y -= size * 0.4
    } else if (block.kind === 'list') {
      for (const [index, item] of block.items.entries()) {
        room(14)
        draw(show(block.ordered ? `${index + 1}.` : '•', 'F1', 10.5, PAGE.left + 6, y - 14.175))
        flow(item, 'F1', 10.5, PAGE.left + 24)
        y -= 3
      }
      y -= 5
    } else if (block.kind === 'table') {
      const width = (PAGE.right - PAGE.left) / block.rows[0]!.length
      for (const [index, row] of block.rows.entries()) {
        const font = index === 0 ? 'F2' : 'F1'
        const cells = row.map((cell) => wrap(cell, font, 9.5, width - 10))
        const height = Math.max(...cells.map((lines) => lines.length)) * 12.5 + 6
        room(height)
        for (const [column, lines] of cells.entries()) {
          const left = PAGE.left + column * width
          draw(`${left} ${y - height} ${width} ${height} re S`)
          for (const [row, line] of lines.entries())
            draw(show(line, font, 9.5, left + 5, y - 12.5 * (row + 1)))
        }
        y -= height
      }
      y -= 12
    } else {
      flow(block.text, 'F1', 10.5)
      y -= 8
    }
  }
  return pages
}

/** The running head and foot of a page, with the line below the head. */
function frameOf({ title, author }: About, page: number, pages: number): string[] {
  const foot = `Page ${page} of ${pages}`
  return [
    show(`${author} · ${title}`, 'F1', 8.5, PAGE.left, 746),
    `0.5 w ${PAGE.left} 738 m ${PAGE.right} 738 l S`,
    show(foot, 'F1', 8.5, PAGE.right - widthOf(foot, 'F1', 8.5), 46),
  ]
}

const show = (line: string, font: Font, size: number, x: number, y: number) =>
  `BT /${font} ${size} Tf ${x.toFixed(2)} ${y.toFixed(2)} Td ${text(line)} Tj ET`

/** Breaks a text into lines no wider than `width` points. */
function wrap(words: string, font: Font, size: number, width: number): string[] {
  const lines = ['']
  for (const word of words.split(' ')) {
    const longer = lines.at(-1) === '' ? word : `${lines.at(-1)} ${word}`
    if (widthOf(longer, font, size) <= width) lines[lines.length - 1] = longer
    else lines.push(word)
  }
  return lines
}

/** A PDF text in Windows-1252, the encoding the fonts are declared with. */
function text(words: string): string {
  const bytes = [...words].map((char) => WINDOWS[char] ?? char).join('')
  return `(${bytes.replace(/[\\()]/g, '\\$&')})`
}

const WINDOWS: Record<string, string> = {
  '•': '\x95',
  '–': '\x96',
  '—': '\x97',
  '’': '\x92',
  '“': '\x93',
  '”': '\x94',
}
