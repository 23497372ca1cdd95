import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import { MAIN_SCREENS } from '../parts/main-nav.tsx'
import { setTheme, THEME_NAMES, THEMES } from '../parts/theme.ts'
import { complain } from '../parts/toast.tsx'
import { messageOf, report } from '../server/call.ts'
import type { Action } from './registry.ts'
import type { FlowSummary } from '../server/flows.ts'
import { signOut } from '../server/session.ts'

/** What can be done on every screen: go to screens, flows and documents, change the appearance, sign out. */
export function useGeneralActions(
  flows: readonly FlowSummary[],
  openFlow: string | undefined,
  documents: readonly { source: string }[],
): Action[] {
  const router = useRouter()
  const queries = useQueryClient()
  return useMemo(() => {
    const go = (path: string) => () => router.history.push(path)
    const has = (path: string) => path in router.routesByPath
    const leave = (everywhere: boolean) => () =>
      void signOut(everywhere).then(
        () => {
          queries.clear()
          report('signed-out')
        },
        (error: unknown) => complain('Signing out failed', messageOf(error)),
      )
    const documentPath = (source: string) =>
      `/flows/${encodeURIComponent(openFlow ?? '')}/documents/${encodeURIComponent(source)}`
    return [
      ...MAIN_SCREENS.map(({ to, label }) => ({ id: `go ${to}`, label, group: 'Go to', run: go(to) })),
      { id: 'go guide', label: 'Guide', group: 'Go to', words: 'help first steps', run: go('/guide') },
      { id: 'go deleted', label: 'Deleted flows', group: 'Go to', run: go('/flows?deleted=true') },
      ...flows.map(({ id, slug, name }) => ({
        id: `flow ${id}`,
        label: name,
        group: 'Flows',
        words: slug,
        run: go(`/flows/${encodeURIComponent(slug)}`),
      })),
      ...(has('/flows/$id/documents/$source')
        ? documents.map(({ source }) => ({
            id: `document ${source}`,
            label: source,
            group: 'Documents of this flow',
            run: go(documentPath(source)),
          }))
        : []),
      ...THEMES.map((theme) => ({
        id: `theme ${theme}`,
        label: THEME_NAMES[theme],
        group: 'Appearance',
        words: 'theme colours',
        run: () => setTheme(theme),
      })),
      {
        id: 'routes',
        label: 'Routes of the server',
        group: 'Go to',
        words: 'api openapi docs',
        run: () => void window.open('/docs', '_blank', 'noopener'),
      },
      { id: 'sign out', label: 'Sign out', group: 'Session', run: leave(false) },
      { id: 'sign out everywhere', label: 'Sign out everywhere', group: 'Session', run: leave(true) },
    ]
  }, [router, queries, flows, openFlow, documents])
}
