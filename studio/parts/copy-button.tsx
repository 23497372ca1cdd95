import { Check, Copy } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from './button.tsx'
import { complain } from './toast.tsx'

/** How long the button says that the text was copied, in milliseconds. */
const SHOWN_MS = 2000

/** Puts a text on the clipboard, and says so for a moment. */
export function CopyButton({ text, label = 'Copy' }: { text: string; label?: string }) {
  const [copied, setCopied] = useState(false)
  useEffect(() => {
    if (!copied) return
    const timer = setTimeout(() => setCopied(false), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [copied])
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      setCopied(true)
    } catch {
      // Browsers give no access to the clipboard on pages of another machine without HTTPS.
      complain('The browser does not allow copying here', 'Select the text and copy it with the keyboard')
    }
  }
  return (
    <Button onClick={() => void copy()}>
      {copied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
      {copied ? 'Copied' : label}
    </Button>
  )
}
