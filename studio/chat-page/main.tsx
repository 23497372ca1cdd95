import '../style/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { ChatPage } from './chat-page.tsx'

/** The address is `/chatbot/FLOW`; the server answers it for a flow that has a chat page. */
const flow = decodeURIComponent(location.pathname.split('/')[2] ?? '')

createRoot(document.getElementById('studio')!).render(
  <StrictMode>
    <ChatPage flowId={flow} />
  </StrictMode>,
)
