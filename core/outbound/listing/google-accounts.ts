import * as v from 'valibot'
import type { OwnerContext } from '../../contracts/plugin'
import { type AskGoogle, readPage } from './ask-google'
import { allPages } from './pages'

/** An account of business profiles that somebody reaches. */
export interface GoogleAccount {
  /** `accounts/111` */
  readonly name: string
  readonly title: string | undefined
  /** `PERSONAL`, `LOCATION_GROUP`, `USER_GROUP` or `ORGANIZATION`. */
  readonly type: string | undefined
}

/** The most that Google gives on a page. */
const pageSize = 20

const page = v.object({
  accounts: v.optional(
    v.array(
      v.object({
        name: v.pipe(v.string(), v.regex(/^accounts\/[\w-]{1,100}$/)),
        accountName: v.optional(v.string()),
        type: v.optional(v.pipe(v.string(), v.regex(/^[A-Z_]{1,40}$/))),
      }),
    ),
    [],
  ),
  nextPageToken: v.optional(v.string()),
})

/** Every account that whoever gave the token reaches, their own first. */
export const googleAccounts = (
  { settings }: Pick<OwnerContext, 'settings'>,
  ask: AskGoogle,
): Promise<GoogleAccount[]> =>
  allPages('accounts', async (token) => {
    const query = new URLSearchParams({ pageSize: String(pageSize) })
    if (token !== null) query.set('pageToken', token)
    const json = await ask(`${settings.GOOGLE_ACCOUNTS_URL}/accounts?${query}`)
    const { accounts, nextPageToken } = readPage(page, json, 'accounts')
    return {
      items: accounts.map(({ name, accountName, type }) => ({ name, title: accountName, type })),
      next: nextPageToken || null,
    }
  })
