import { sha256 } from '../../kit/hash.ts'

/** What providers take as the name of a tool. */
const LONGEST = 64
const HASH = 8

/**
 * Names for operations, one after the other: their ids where they can be, else made of method and path. The same
 * description gives the same names; a name that is cut or already taken ends in a hash of method and path.
 */
export function createNames(): (method: string, path: string, operationId: string | undefined) => string {
  const taken = new Set<string>()
  return (method, path, operationId) => {
    const wanted = sanitised(operationId ?? '') || spoken(method, path)
    const hash = sha256(`${method} ${path}`).slice(0, HASH)
    const fits = wanted.length <= LONGEST && !taken.has(wanted)
    let name = fits ? wanted : `${wanted.slice(0, LONGEST - HASH - 1)}_${hash}`
    for (let count = 2; taken.has(name); count++) name = `${name.slice(0, LONGEST - 4)}_${count}`
    taken.add(name)
    return name
  }
}

/** `GET /users/{id}` → `get_users_by_id` */
const spoken = (method: string, path: string) =>
  sanitised(`${method.toLowerCase()}_${path.replace(/\{([^{}]*)\}/g, 'by_$1')}`)
    .replace(/_{2,}/g, '_')
    .replace(/_$/, '')

/** Nothing where nothing of a name is left. */
const sanitised = (text: string) => {
  const name = text.replace(/[^a-zA-Z0-9_-]+/g, '_')
  return /[a-zA-Z0-9]/.test(name) ? name : ''
}
