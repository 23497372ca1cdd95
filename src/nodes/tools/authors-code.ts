/**
 * The code that Flowise writes into the code field of every toolkit. Its published versions differ in names, in the
 * import of `fetch` and in whether the answer is read as JSON or as text. Without white space, semicolons and comments.
 */
const WRITTEN_BY_FLOWISE =
  /^(?:const(\w+)=require\('node-fetch'\))?consturl=\$urlconstoptions=\$optionstry\{const(\w+)=awaitfetch\(url,options\)const(\w+)=await\2\.(?:json|text)\(\)return(?:JSON\.stringify\(\3\)|\3)\}catch\((\w+)\)\{(?:console\.(?:error|log)\(\4\))?return''\}$/

/** Code of the author's own. Flowise's answers nothing where a call fails, and a model would never know why. */
export function authorsCode(code: string): string | undefined {
  const plain = bare(code)
  return plain === '' || WRITTEN_BY_FLOWISE.test(plain) ? undefined : code
}

const bare = (code: string) =>
  code
    .replace(/^[^\S\n\r\u2028\u2029]*\/\/.*$/gm, '')
    .replaceAll('"', "'")
    .replace(/[\s;]+/g, '')
