import type { InstallData } from './installPage'

/** Returns the query of the page for its site and sender, with changes. */
export const queryOf = (
  { site, sender }: Pick<InstallData, 'site' | 'sender'>,
  changed: Readonly<Record<string, string>> = {},
): string =>
  new URLSearchParams({
    ...(site ? { site: site.id } : {}),
    ...(site && site.page !== site.home ? { address: site.page } : {}),
    ...(sender ? { sender: sender.page } : {}),
    ...changed,
  }).toString()
