import { listAddress, type PageProps } from 'renown/web'
import { boardPath } from './board-filters'
import type { BoardData } from './load-board'
import type { ShownLead } from './load-lead'

/** The props of the page and the selected lead. */
export type LeadDetailProps = PageProps<BoardData> & { readonly of: ShownLead }

/** Returns the query of an address. */
export const queryOf = (address: string): string => address.split('?', 2)[1] ?? ''

/** Returns the common parts of a form about the selected lead. The page stays on it. */
export function leadForm({ data: { list }, csrf, of: { id } }: LeadDetailProps, name: string) {
  const back = listAddress(list, { lead: id })
  return { action: `${boardPath}/${name}`, csrf, hidden: { lead: id, search: queryOf(back), back } }
}
