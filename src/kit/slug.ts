/** A name as a short address: `My Flow!` becomes `my-flow`; a name without a Latin letter or digit becomes `flow`. */
export function slugOf(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase().replace(/\p{M}/gu, '')
  return (
    plain
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-/, '')
      .slice(0, 90)
      .replace(/-$/, '') || 'flow'
  )
}
