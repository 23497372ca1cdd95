import { Link } from '@tanstack/react-router'
import table from './row-table.module.css'
import { countText } from './units.ts'

type Use = { id: string; slug: string; name: string; nodes: readonly { label: string }[] }

/** The flows that use a row, in one line: the first as a link, the number of the others. */
export function UsedBy({ flows }: { flows: readonly Use[] }) {
  const [first, ...others] = flows
  if (!first) return <span className={table.quiet}>not used</span>
  return (
    <span
      title={flows
        .map(({ name, nodes }) => `${name}: ${nodes.map(({ label }) => label).join(', ')}`)
        .join('\n')}
    >
      <Link to="/flows/$id" params={{ id: first.slug }}>
        {first.name}
      </Link>
      {others.length === 0 ? null : ` and ${countText(others.length, 'other')}`}
    </span>
  )
}

/** The flows that use a row, each with its nodes, for a question before the row is deleted. */
export function UseList({ flows }: { flows: readonly Use[] }) {
  return (
    <ul>
      {flows.map(({ id, slug, name, nodes }) => (
        <li key={id}>
          <Link to="/flows/$id" params={{ id: slug }}>
            {name}
          </Link>
          {nodes.length === 0 ? '' : ` (${nodes.map(({ label }) => label).join(', ')})`}
        </li>
      ))}
    </ul>
  )
}
