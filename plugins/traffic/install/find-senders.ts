/** Set-up pages of one kind, with their titles. */
export interface SenderGroup {
  readonly label: string
  readonly senders: readonly { readonly page: string; readonly title: string }[]
}

/** What most websites run on, first the most common. */
const common = ['wordpress', 'nginx', 'apache', 'cloudflare', 'shopify', 'nextjs']

/** Returns the most common senders among the groups. */
export function commonSenders(groups: readonly SenderGroup[]): SenderGroup['senders'] {
  const all = groups.flatMap(({ senders }) => senders)
  return common.flatMap((page) => all.filter((sender) => sender.page === page))
}

/** Returns the senders whose title, page or kind contains every typed word. Null if nothing was typed. */
export function findSenders(groups: readonly SenderGroup[], typed: string): SenderGroup['senders'] | null {
  const words = typed.toLowerCase().split(' ').filter(Boolean)
  if (words.length === 0) return null
  return groups.flatMap(({ label, senders }) =>
    senders.filter(({ page, title }) => {
      const text = `${title} ${page} ${label}`.toLowerCase()
      return words.every((word) => text.includes(word))
    }),
  )
}
