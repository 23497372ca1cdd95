import { useQueryClient } from '@tanstack/react-query'
import {
  BookOpen,
  CircleUser,
  Command,
  Contrast,
  LifeBuoy,
  LogOut,
  Monitor,
  Moon,
  Sun,
  UserPlus,
} from 'lucide-react'
import { useState } from 'react'
import { messageOf, report } from '../server/call.ts'
import { signOut } from '../server/session.ts'
import { askPalette } from './ask-palette.ts'
import { Button } from './button.tsx'
import { Invite } from './invite.tsx'
import { Menu, MenuItem, MenuLine } from './menu.tsx'
import { setTheme } from './theme.ts'
import { complain } from './toast.tsx'

/** The command palette, light or dark, guide and description of the routes, inviting, and signing out. */
export function AccountMenu() {
  const queries = useQueryClient()
  const [invites, setInvites] = useState(false)
  const leave = async (everywhere: boolean) => {
    try {
      await signOut(everywhere)
      queries.clear()
      report('signed-out')
    } catch (error) {
      complain('Signing out failed', messageOf(error))
    }
  }
  return (
    <>
      <Menu
        button={
          <Button look="quiet" square aria-label="Appearance and session">
            <CircleUser aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem icon={<Command />} onSelect={askPalette}>
          Commands (Ctrl K)
        </MenuItem>
        <MenuLine />
        <MenuItem icon={<Sun />} onSelect={() => setTheme('light')}>
          Light
        </MenuItem>
        <MenuItem icon={<Moon />} onSelect={() => setTheme('dark')}>
          Dark
        </MenuItem>
        <MenuItem icon={<Contrast />} onSelect={() => setTheme('contrast')}>
          Strong contrast
        </MenuItem>
        <MenuItem icon={<Monitor />} onSelect={() => setTheme('system')}>
          As the system
        </MenuItem>
        <MenuLine />
        <MenuItem icon={<BookOpen />} onSelect={() => void window.open('/docs', '_blank', 'noopener')}>
          Routes of the server
        </MenuItem>
        <MenuItem icon={<LifeBuoy />} onSelect={() => void window.open('/guide', '_blank', 'noopener')}>
          Guide
        </MenuItem>
        <MenuLine />
        <MenuItem icon={<UserPlus />} onSelect={() => setInvites(true)}>
          Invite
        </MenuItem>
        <MenuItem icon={<LogOut />} onSelect={() => void leave(false)}>
          Sign out
        </MenuItem>
        <MenuItem icon={<LogOut />} onSelect={() => void leave(true)}>
          Sign out everywhere
        </MenuItem>
      </Menu>
      <Invite open={invites} onClose={() => setInvites(false)} />
    </>
  )
}
