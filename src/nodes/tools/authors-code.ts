/**
 * The default code that Flowise puts into the code field of a toolkit, without white space, semicolons and comments. Its
 * published versions differ in variable names, in the import of `fetch`, and in reading the response as JSON or text.
 */
const WRITTEN_BY_FLOWISE =
  /^(?:const(\w+)=require\('node-fetch'\))?consturl=\$urlconstoptions=\$optionstry\{const(\w+)=awaitfetch\(url,options\)const(\w+)=await\2\.(?:json|text)\(\)return(?:JSON\.stringify\(\3\)|\3)\}catch\((\w+)\)\{(?:console\.(?:error|log)\(\4\))?return''\}$/

/**
 * The code, if the author of the flow wrote it; undefined for Flowise's default code, which returns an empty text for a
 * failed call, so that a model could not learn the reason.
 */
export function authorsCode(code: string): string | undefined {
  const compact = compactCode(code)
  return compact === '' || WRITTEN_BY_FLOWISE.test(compact) ? undefined : code
}

const compactCode = (code: string) =>
  code
    .replace(/^[^\S\n\r\u2028\u2029]*\/\/.*$/gm, '')
    .replaceAll('"', "'")
    .replace(/[\s;]+/g, '')
