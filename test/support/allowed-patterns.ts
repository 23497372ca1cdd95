/** Patterns that are not linear, or that the checker cannot judge, by file and text: why they are no danger. */
export const ALLOWED_PATTERNS: Readonly<Record<string, string>> = {
  'src/tools/call.ts /("(?:[^"\\\\]|\\\\.)*")|\\s+/g':
    'asked of valid JSON only, in which every quote is closed',
  'src/sources/sql/query-text.ts /\\bfrom\\s+(?:"([^"]+)"|`([^`]+)`|\\[([^\\]]+)\\]|([\\p{L}\\w.]+))/iu':
    'a query that the author of the flow wrote',
  'src/kit/lenient-json.ts /(?:[\\s\\ufeff]+|\\/\\/[^\\n]*|\\/\\*.*?\\*\\/)*/sy':
    'nothing follows the repetition, so nothing is tried again',
  'src/tools/zod-text.ts /(?:\\s+|\\/\\/[^\\n]*|\\/\\*[\\s\\S]*?\\*\\/)*/y':
    'nothing follows the repetition, so nothing is tried again',
  'src/kit/provider/answer.ts /context (length|window|size)|too (long|large|many (input )?tokens)|(exceed|maximum|max\\b).{0,60}(token|length|size|input)|batch size/i':
    'a message of 10,000 characters at most; the repetition is bounded',
  'src/kit/provider/answer.ts /\\b(sk|pk|key|AIza)[-_]?[\\w*-]{12,}/g':
    'a message of 10,000 characters at most; begins at the beginning of a word only',
  'src/kit/provider/base-url.ts /\\/+$/': 'an address that the owner wrote',
  'src/observe/tracing/open-tracer.ts /\\/+$/': 'an address that the owner wrote',
  'src/formats/web/html.ts /<meta[^>]+charset\\s*=\\s*["\']?([\\w:-]+)/i':
    'the first bytes of a page, in a child process with a limit of time',
  'src/formats/office/xlsx-merges.ts /<(?:\\w+:)?mergeCell\\s[^<>]*?ref="([A-Z]{1,3})(\\d{1,7}):[A-Z]{1,3}(\\d{1,7})"/g':
    'in a child process with a limit of time; each tag is looked at by itself',
  'src/kit/mask-address.ts /([a-z][a-z\\d+.-]*:\\/\\/)(\\S*)@/gi': 'a setting of the owner, as it is shown',
  'src/kit/mask-address.ts /([?&#])([^=&#\\s]+)=([^&#\\s]+)/g': 'a setting of the owner, as it is shown',
  'src/kit/secret-mask.ts /=+$/': 'base64 of a secret, which has two of these at most',
  'src/embed/model-file.ts /\\0+$/': 'a field of the model that ships with the product',
  'src/cli/sync-folder.ts /^\\/+|\\/+$/g': 'the command line of the person who types it',
  'src/formats/json/ipynb.ts /\\r+$/':
    'a line of an output of at most 262,144 characters, in a child process with a limit of time',
  'src/formats/mail/msg-properties.ts /\\0+$/': 'in a child process with a limit of time',
  'src/formats/pdf/pdf-hyphens.ts /\\S+$/': 'a line of a page, in a child process with a limit of time',
  'src/formats/pdf/pdf-hyphens.ts /\\p{L}+(?=[-\\u2010]$)/u':
    'a line of a page, in a child process with a limit of time',
  'src/formats/subtitle-cues.ts /<v(?:\\.[^\\s>]{0,100})?\\s{1,9}([^>]{1,200})>/':
    'in a child process with a limit of time; the repetitions are bounded',
  'src/formats/subtitle-cues.ts /<\\/?(?:[a-z]{1,9}(?:[.\\s][^>]{0,300})?|\\d{1,9}:[\\d:.]{1,20})>/gi':
    'in a child process with a limit of time; the repetitions are bounded',
  'src/formats/subtitle-cues.ts /\\{\\\\[^}]{0,300}\\}/g':
    'in a child process with a limit of time; the repetition is bounded',
  'src/text/terms/misspellings.ts /[-_]+|(?<=\\p{Ll}\\p{M}{0,3})(?=\\p{Lu})|(?<=\\p{Lu})(?=\\p{Lu}\\p{Ll})/u':
    'every place looks back at four letters at most',
  'src/text/sluice/code-kinds.ts /[.:?!]+$/': 'a name in a line, of which 512 characters are looked at',
  'src/text/sluice/prose-lines.ts /\\s+#+$/': 'a line, of which 512 characters are looked at',
  'src/text/sluice/code-kinds.ts /^[ \\t]*(?:(?:async )?def \\w+ *\\(|class \\w+ *[(:{]|import \\w|from [\\w.]+ import |#include *[<"]|(?:export )?(?:async )?function\\*? *\\w* *\\(|(?:public|private|protected) [\\w<>[\\] ]+|(?:const|let|var) \\w+ *=|func \\w|fn \\w+|package \\w)/m':
    'the first 4,096 characters of a text',
}
