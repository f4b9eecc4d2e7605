import type { Row } from '../../contracts/entity'
import { recoverIf } from '../../contracts/errors'
import type { Dns } from '../../contracts/outbound'
import { isServiceFault } from '../../contracts/service-fault'
import type { WhiteLabelDomain } from '../../tenancy/domains/WhiteLabelDomain'

type Domain = Pick<Row<typeof WhiteLabelDomain>, 'domain' | 'token'>

/** The DNS record that proves who owns the domain. */
export const recordOf = ({ domain, token }: Domain) => ({
  type: 'TXT',
  name: `_renown.${domain}`,
  value: `renown-verification=${token}`,
})

/**
 * The result of a DNS check. `unknown` means that the DNS did not answer, which says nothing about the
 * domain.
 */
export type Found = { readonly was: 'there' | 'absent' | 'unknown'; readonly reason?: string }

/** Checks whether the DNS record exists. Other records next to it do no harm. */
export async function lookFor(domain: Domain, dns: Pick<Dns, 'txt'>): Promise<Found> {
  const { name, value } = recordOf(domain)
  const records = await dns.txt(name).catch(recoverIf(isServiceFault, () => null))
  if (records === null) return { was: 'unknown', reason: 'The DNS lookup failed. Try again later.' }
  const texts = records.map((text) => text.trim().replace(/^"(.*)"$/, '$1'))
  if (texts.includes(value)) return { was: 'there' }
  const isOther = texts.some((text) => text.startsWith('renown-verification='))
  const reason = isOther
    ? `The TXT record of ${name} has another value.`
    : texts.length > 0
      ? `The TXT records of ${name} lack the value.`
      : `There is no TXT record at ${name}.`
  return { was: 'absent', reason }
}
