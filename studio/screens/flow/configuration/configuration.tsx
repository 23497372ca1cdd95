import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, useLocation, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../../parts/button.tsx'
import { getFlowRequests } from '../../../server/flow-requests.ts'
import { useOpenFlow } from '../open-flow.ts'
import { AccessSection } from './access-section.tsx'
import { ChatSection } from './chat-section.tsx'
import { hasConfigurationChanges } from './configuration-draft.ts'
import styles from './configuration.module.css'
import { DocumentsSection } from './documents-section.tsx'
import { OriginsSection } from './origins-section.tsx'
import { OverridesSection } from './overrides-section.tsx'
import { RateLimitSection } from './rate-limit-section.tsx'
import { UploadsSection } from './uploads-section.tsx'
import { LoadFailure } from '../../../parts/load-failure.tsx'
import { Loading } from '../../../parts/load-state.tsx'

/** The settings of a flow: who may call it, and what requests may change. They are saved with the flow. */
export function ConfigurationTab() {
  const { flow, saving, configuration } = useOpenFlow()
  const { id } = useParams({ from: '/flows/$id' })
  const { data, error, refetch } = useQuery({
    queryKey: ['flow-requests', flow.id, saving.revision],
    queryFn: () => getFlowRequests(flow.id),
    placeholderData: keepPreviousData,
  })
  const changed = useStore(configuration, hasConfigurationChanges)
  const sections: { id: string; title: string; about: string; content: ReactNode }[] = [
    {
      id: 'access',
      title: 'Access',
      about: 'Which key callers of this flow need.',
      content: <AccessSection />,
    },
    {
      id: 'overrides',
      title: 'Overrides',
      about:
        'What a request may set in place of the flow, in overrideConfig. Everything else is ignored with a warning.',
      content: data ? <OverridesSection requests={data} /> : null,
    },
    {
      id: 'uploads',
      title: 'Uploads',
      about: 'Which loaders take the files of an upsert request in place of their own.',
      content: data ? <UploadsSection requests={data} /> : null,
    },
    {
      id: 'documents',
      title: 'Documents',
      about:
        'What is kept of the files of an upsert, what it does with chunks that were stored before, and whether questions are asked after it.',
      content: <DocumentsSection />,
    },
    {
      id: 'rate-limit',
      title: 'Rate limit',
      about: 'How many requests one address may send. Requests of this studio do not count.',
      content: <RateLimitSection />,
    },
    {
      id: 'origins',
      title: 'Web pages',
      about: 'Which web sites may call this flow from the browsers of their visitors.',
      content: <OriginsSection />,
    },
    {
      id: 'chat',
      title: 'Chat window',
      about: 'What a chat window on a web page reads from this flow.',
      content: <ChatSection />,
    },
  ]
  const isShown = data !== undefined
  useHashScroll(isShown)
  return (
    <div className={styles.screen}>
      <nav className={styles.nav} aria-label="Configuration">
        {sections.map((section) => (
          <Link
            key={section.id}
            to="/flows/$id/configuration"
            params={{ id }}
            search={true}
            hash={section.id}
            replace
            activeOptions={{ includeHash: true }}
            className={styles.navLink}
          >
            {section.title}
          </Link>
        ))}
      </nav>
      <main className={styles.main}>
        {changed ? (
          <div className={styles.unsaved}>
            <span>Changes here take effect when the flow is saved.</span>
            <Button onClick={() => configuration.getState().discard()}>Discard these changes</Button>
            <Button look="main" disabled={saving.isSaving} onClick={() => void saving.save()}>
              Save the flow
            </Button>
          </div>
        ) : null}
        <div className={styles.sections}>
          <LoadFailure error={error} onAgain={refetch} />
          {sections.map(({ id: name, title, about, content }) => (
            <section key={name} id={name} className={styles.section} aria-labelledby={`${name}-heading`}>
              <h2 id={`${name}-heading`}>{title}</h2>
              <p className={styles.about}>{about}</p>
              {content ?? (error ? null : <Loading />)}
            </section>
          ))}
        </div>
      </main>
    </div>
  )
}

/** Brings the section in the address into sight once it is there. */
function useHashScroll(isShown: boolean): void {
  const { hash } = useLocation()
  useEffect(() => {
    if (isShown && hash !== '') document.getElementById(hash)?.scrollIntoView()
  }, [hash, isShown])
}
