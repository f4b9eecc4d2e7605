import * as v from 'valibot'
import type { ActRecord } from '../../contracts/act'
import { defineAct, defineCommand, field } from '../../kit'
import { WhiteLabelDomain } from '../../tenancy/domains/WhiteLabelDomain'
import { agencyInput, agencyOf, onAgency } from '../../tenancy/named-agency'
import { type Domain, domainsOf } from './domains'
import { recordOf } from './record'

/** Adds a domain and returns the DNS record that verifies it. */
export const domainAdd = defineAct({
  name: 'domain add',
  summary: 'Add a white-label domain to an agency, and show the DNS record that verifies it',
  on: onAgency,
  fields: { domain: field.text('Host name such as reviews.example.com') },
  positional: ['domain'],
  only: 'owner',
  label: 'Add the domain',
  done: 'The domain is added. Set its DNS record, then verify it.',
  undo: 'domain remove',
  audit: { action: 'domain.add', what: 'Domain added' },
  async run(ctx, { row: { id: agencyId }, input: { domain } }) {
    const added = await domainsOf(ctx).add(agencyId, domain)
    return { answer: shown(added), subject: added.domain }
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

/** The domain of an act. The shell names it, and with several agencies its agency too. */
const onDomain: ActRecord<typeof WhiteLabelDomain> = {
  entity: WhiteLabelDomain,
  field: 'domain',
  called: 'domain',
  inShell: {
    fields: { domain: field.text('The domain, or its id'), agency_id: agencyInput },
    areOptions: ['agency_id'],
    find: async (ctx, { domain, agency_id }) =>
      domainsOf(ctx).find(await agencyOf(ctx, agency_id as string | undefined), String(domain)),
  },
}

/** Checks the DNS record of a domain now. */
export const domainVerify = defineAct({
  name: 'domain verify',
  summary: "Look for a domain's DNS record now; from then on the domain is served",
  on: onDomain,
  only: 'owner',
  label: 'Verify now',
  done: 'The record was found. The domain is now served.',
  recordedByRun: ['domain.verify'],
  run: async (ctx, { row }) => ({ answer: shown(await domainsOf(ctx).verify(row)) }),
})

/** Ends a domain, with every session and connected app that began there. */
export const domainRemove = defineAct({
  name: 'domain remove',
  summary: 'Stop serving a domain immediately, and end the sessions and connected apps that started there',
  on: onDomain,
  only: 'owner',
  auth: 'recent',
  label: 'Remove the domain',
  done: 'The domain is removed. It is no longer served.',
  audit: { action: 'domain.remove', what: 'Domain removed', subject: (_, { domain }) => domain },
  async run(ctx, { row }) {
    const isChanged = await domainsOf(ctx).remove(row)
    return { answer: { domain_id: row.id, domain: row.domain, removed: true }, isChanged }
  },
})

/** What owners do with the domains of their agency. */
export const domainActs = [domainAdd, domainVerify, domainRemove]

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
