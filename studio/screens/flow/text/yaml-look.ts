import { StreamLanguage, type StringStream } from '@codemirror/language'

type State = {
  /** The indentation of the line above a block of text; -1 outside of one. */
  block: number
  isValue: boolean
}

/** The parts of the text of a flow for colours: names, values, marks, comments, and blocks of text. */
export const flowTextLanguage = StreamLanguage.define<State>({
  name: 'flow-text',
  startState: () => ({ block: -1, isValue: false }),
  languageData: { commentTokens: { line: '#' }, closeBrackets: { brackets: ['"', '[', '{'] } },
  token(stream, state) {
    if (stream.sol()) {
      state.isValue = false
      if (state.block >= 0) {
        const blank = /^\s*$/.test(stream.string)
        if (blank || stream.indentation() > state.block) {
          stream.skipToEnd()
          return 'string'
        }
        state.block = -1
      }
    }
    if (stream.eatSpace()) return null
    if (stream.match(/^#.*/)) return 'comment'
    if (stream.match(/^- /)) return null
    if (stream.match(/^[|>][-+\d]*\s*$/)) {
      state.block = indentOf(stream)
      return 'keyword'
    }
    if (!state.isValue && stream.match(/^("(?:[^"\\]|\\.)*"|[^\s:#"'][^:#]*?)(?=:(?:\s|$))/))
      return 'propertyName'
    if (stream.match(/^:(?=\s|$)/)) {
      state.isValue = true
      return null
    }
    if (stream.match(/^!\w+/) || stream.match(/^<-(?= )/)) return 'keyword'
    if (stream.match(/^(true|false|null)\s*$/)) return 'bool'
    if (stream.match(/^-?\d+(\.\d+)?(e[-+]?\d+)?(?=\s*$|[,\]])/i)) return 'number'
    if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'[^']*'?/)) return 'string'
    if (stream.match(/^[[\]{},]/)) return null
    stream.match(/^[^\s,\]]+/) || stream.next()
    return 'string'
  },
})

/** The indentation of the item in whose line a block begins. */
const indentOf = (stream: StringStream): number =>
  /^\s*(- +)*/.exec(stream.string)![0].replace(/- +$/, '').length
