import * as v from 'valibot'
import { defineCommand, field } from '../../kit'
import { commandLine } from '../../tenancy/audit/audit'
import { agencyInput, agencyOf } from '../../tenancy/named-agency'
import { type Domain, domainsOf } from './domains'
import { recordOf } from './record'

const by = { host: commandLine }
const which = field.text('The domain, or its id')

/** Adds a domain and returns the DNS record that verifies it. */
export const domainAdd = defineCommand({
  name: 'domain add',
  summary: 'Add a white-label domain to an agency, and show the DNS record that verifies it',
  input: v.strictObject({
    domain: field.text('Host name such as reviews.example.com'),
    agency_id: agencyInput,
  }),
  positional: ['domain'],
  async run(ctx, { domain, agency_id }) {
    return shown(await domainsOf(ctx).add(await agencyOf(ctx, agency_id), domain, by))
  },
})

export const domainList = defineCommand({
  name: 'domain list',
  summary: 'Show the white-label domains of an agency and their state',
  input: v.strictObject({ agency_id: agencyInput }),
  async run(ctx, { agency_id }) {
    const domains = await domainsOf(ctx).list(await agencyOf(ctx, agency_id))
    return { domains: domains.map(shown) }
  },
})

export const domainVerify = defineCommand({
  name: 'domain verify',
  summary: "Look for a domain's DNS record now; from then on the domain is served",
  input: v.strictObject({ domain: which, agency_id: agencyInput }),
  positional: ['domain'],
  async run(ctx, { domain, agency_id }) {
    const domains = domainsOf(ctx)
    return shown(await domains.verify(await domains.find(await agencyOf(ctx, agency_id), domain), by))
  },
})

export const domainRemove = defineCommand({
  name: 'domain remove',
  summary: 'Stop serving a domain immediately, and end the sessions and connected apps that started there',
  input: v.strictObject({ domain: which, agency_id: agencyInput }),
  positional: ['domain'],
  async run(ctx, { domain, agency_id }) {
    const domains = domainsOf(ctx)
    const found = await domains.find(await agencyOf(ctx, agency_id), domain)
    await domains.remove(found, by)
    return { domain_id: found.id, domain: found.domain, removed: true }
  },
})

function shown(domain: Domain) {
  const { type, name, value } = recordOf(domain)
  const { id: domain_id, domain: host, state, checked_at, missing_since, reason } = domain
  return {
    domain_id,
    domain: host,
    state,
    record_type: type,
    record_name: name,
    record_value: value,
    checked_at,
    missing_since,
    reason,
  }
}
