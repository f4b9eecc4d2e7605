import type { InstallData } from './installPage'

/** The query of the page for the site and the sender that it shows, but for what changes. */
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
