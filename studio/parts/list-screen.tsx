import type { ReactNode } from 'react'
import { AccountMenu } from './account-menu.tsx'
import styles from './list-screen.module.css'
import { MainNav } from './main-nav.tsx'
import { SearchBox } from './search-box.tsx'
import { TopBar } from './top-bar.tsx'

type ListScreenProps = {
  title: string
  about: string
  /** The search box; absent for an empty list. */
  search?: { label: string; value: string; onChange(value: string): void } | undefined
  /** The buttons at the right of the title. */
  actions: ReactNode
  children: ReactNode
}

/** A screen with one list: bar, title, search, and the list. */
export function ListScreen({ title, about, search, actions, children }: ListScreenProps) {
  return (
    <div className={styles.screen}>
      <TopBar actions={<AccountMenu />}>
        <MainNav />
      </TopBar>
      <main className={styles.main}>
        <div className={styles.head}>
          <div className={styles.titles}>
            <h1>{title}</h1>
            <p className={styles.about}>{about}</p>
          </div>
          {search ? <SearchBox {...search} /> : null}
          {actions}
        </div>
        {children}
      </main>
    </div>
  )
}

/** What a list without rows says: what it is for, and what to do next. */
export function EmptyList({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div className={styles.empty}>
      <h2>{title}</h2>
      {children}
    </div>
  )
}
