import { createRoot } from 'react-dom/client'

createRoot(document.getElementById('studio')!).render(<h1>Sluice</h1>)
