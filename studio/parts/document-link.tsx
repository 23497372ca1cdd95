import { useRouter } from '@tanstack/react-router'
import type { ReactNode } from 'react'

type DocumentLinkProps = {
  flowId: string
  source: string
  /** The id of a chunk, which the document shows first. */
  chunk?: string | undefined
  className?: string | undefined
  children: ReactNode
}

/** A link to a document of a flow, at one of its chunks. */
export function DocumentLink({ flowId, source, chunk, className, children }: DocumentLinkProps) {
  const router = useRouter()
  const href = documentAddress(flowId, source, chunk)
  return (
    <a
      href={href}
      className={className}
      title={source}
      onClick={(event) => {
        // Another tab or window is the browser's work.
        if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
        event.preventDefault()
        router.history.push(href)
      }}
    >
      {children}
    </a>
  )
}

const documentAddress = (flowId: string, source: string, chunk: string | undefined): string =>
  `/flows/${encodeURIComponent(flowId)}/documents/${encodeURIComponent(source)}` +
  (chunk === undefined ? '' : `?${new URLSearchParams({ chunk })}`)
