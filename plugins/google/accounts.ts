import { allPages } from 'renown'
import type { ProviderContext } from 'renown/sources'
import * as v from 'valibot'
import type { AskGoogle } from './ask'
import { googlePage } from './google-page'
import { googleSettings } from './settings'

/** A Google Business Profile account that a person can use. */
export interface GoogleAccount {
  /** `accounts/111` */
  readonly name: string
  readonly title: string | undefined
  /** `PERSONAL`, `LOCATION_GROUP`, `USER_GROUP` or `ORGANIZATION`. */
  readonly type: string | undefined
}

/** The maximum page size at Google. */
const pageSize = 20

const account = v.object({
  name: v.pipe(v.string(), v.regex(/^accounts\/[\w-]{1,100}$/)),
  accountName: v.optional(v.string()),
  type: v.optional(v.pipe(v.string(), v.regex(/^[A-Z_]{1,40}$/))),
})

/**
 * Returns every account that the token's person can use, their own first. Everybody has an own account, so `{}` is
 * not a valid list.
 */
export const googleAccounts = (
  ctx: Pick<ProviderContext, 'settings'>,
  ask: AskGoogle,
): Promise<GoogleAccount[]> =>
  allPages('accounts', async (token) => {
    const query = new URLSearchParams({ pageSize: String(pageSize) })
    if (token !== null) query.set('pageToken', token)
    const form = googlePage('accounts', account, { token, mayBeEmpty: false })
    const url = `${googleSettings.of(ctx).GOOGLE_ACCOUNTS_URL}/accounts?${query}`
    const { items, next } = await ask({ url, what: "Google's page of accounts", answer: form })
    return { items: items.map(({ name, accountName, type }) => ({ name, title: accountName, type })), next }
  })
