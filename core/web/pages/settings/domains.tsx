/** @jsxImportSource ../../kit/jsx */

import { domainAdd, domainRemove, domainVerify } from '../../../auth/domains/commands'
import { type Domain, type Domains, domainsOf } from '../../../auth/domains/domains'
import { recordOf } from '../../../auth/domains/record'
import { isRefusal } from '../../../contracts/errors'
import { sentenceAfter } from '../../../kit/acts/on-page'
import { actAs } from '../../framework/done-by'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import { frameWords } from '../../framework/words'
import {
  Badge,
  Button,
  ButtonLink,
  Card,
  CopyField,
  Facts,
  Field,
  Form,
  Head,
  Moment,
  Notice,
  Row,
} from '../../kit/parts/kit'
import { confirmDialog, Done, type SettingsDeps } from './settings'

const path = '/app/domains'
const verifyPath = '/app/domains/verify'
const removePath = '/app/domains/remove'

const told = {
  added: sentenceAfter(domainAdd),
  verified: sentenceAfter(domainVerify),
  removed: sentenceAfter(domainRemove),
}

interface Typed {
  readonly domain: string
  readonly fault: string
}

/** The host names of an agency, and the DNS records that verify them. */
export function domainPages(deps: SettingsDeps): Route[] {
  const domains = domainsOf(deps.owner)
  return [
    defineRoute({
      path,
      method: 'GET',
      nav: frameWords('navDomains'),
      auth: 'session',
      handle: (visit) => show(domains, visit),
    }),
    defineRoute({
      path,
      method: 'POST',
      auth: 'session',
      async handle(visit) {
        const domain = visit.form.get('domain')
        try {
          await actAs(deps.owner, visit, domainAdd, { agency_id: visit.person.agency_id, domain })
        } catch (error) {
          if (!isRefusal(error) || error.status >= 500) throw error
          return show(domains, visit, { domain, fault: error.message })
        }
        return visit.redirect(`${path}?done=added`)
      },
    }),
    defineRoute({
      path: verifyPath,
      method: 'POST',
      auth: 'session',
      back: path,
      async handle(visit) {
        const input = { agency_id: visit.person.agency_id, domain: visit.form.get('domain') }
        const { state, domain_id } = await actAs(deps.owner, visit, domainVerify, input)
        return visit.redirect(`${path}${state === 'verified' ? '?done=verified' : ''}#${domain_id}`)
      },
    }),
    defineRoute({
      path: removePath,
      method: 'GET',
      auth: 'recent',
      handle: async (visit) =>
        askToRemove(visit, await domains.find(visit.person.agency_id, visit.query.get('domain') ?? '')),
    }),
    defineRoute({
      path: removePath,
      method: 'POST',
      auth: 'recent',
      back: path,
      async handle(visit) {
        const { person, form, host } = visit
        const input = { agency_id: person.agency_id, domain: form.get('domain') }
        const { domain } = await actAs(deps.owner, visit, domainRemove, input)
        // If the current host is the removed domain, its pages no longer work.
        const next = host.origin === `https://${domain}` ? deps.owner.apiUrl : ''
        return visit.redirect(`${next}${path}?done=removed`)
      },
    }),
  ]
}

async function show(domains: Domains, visit: SignedIn, typed?: Typed): Promise<Response> {
  const named = await domains.list(visit.person.agency_id)
  return visit.page({
    title: typed ? 'Error: Domains' : 'Domains',
    status: typed ? 422 : 200,
    width: 'wide',
    copies: true,
    children: (
      <>
        <Head title="Domains">
          Offer Renown at your own host names. Sessions and connected apps of one host do not work at another.
        </Head>
        {!typed && <Done visit={visit} told={told} />}
        {named.map((domain) => (
          <One key={domain.id} domain={domain} csrf={visit.csrf} />
        ))}
        <Add csrf={visit.csrf} typed={typed} />
      </>
    ),
  })
}

const Add = ({ csrf, typed }: { readonly csrf: string; readonly typed: Typed | undefined }) => (
  <Card
    title="Add a domain"
    about="A DNS record proves that the domain is yours. Requests reach Renown when your proxy forwards them, as the operating guide describes."
  >
    <Form action={path} csrf={csrf} label="Add a domain">
      <Field
        name="domain"
        label="Host name"
        value={typed?.domain ?? ''}
        hint="Such as reviews.example.com"
        error={typed?.fault}
        inputmode="url"
        autocomplete="off"
        autofocus={typed !== undefined}
        maxlength={300}
      />
      <Row>
        <Button>{domainAdd.declared.label}</Button>
      </Row>
    </Form>
  </Card>
)

const badges = {
  pending: <Badge tone="warn">waiting for its record</Badge>,
  verified: <Badge tone="good">verified</Badge>,
  lapsed: <Badge tone="bad">lapsed</Badge>,
  failed: <Badge tone="bad">not verified</Badge>,
} satisfies Record<Domain['state'], unknown>

const meanings = {
  pending: 'Not served yet. Renown checks the record every ten minutes, and when you click Verify.',
  verified: 'Served. Keep the record: Renown checks it every day.',
  lapsed: 'No longer served, because its record was missing for a week. Add the record to serve it again.',
  failed: 'Renown checked the record for two weeks. Set it, then verify the domain.',
} satisfies Record<Domain['state'], string>

const One = ({ domain, csrf }: { readonly domain: Domain; readonly csrf: string }) => {
  const { id, domain: name, state } = domain
  const record = recordOf(domain)
  return (
    <section class="card" id={id} aria-labelledby={`${id}-name`}>
      <Row align="apart">
        <h2 id={`${id}-name`}>{name}</h2>
        {badges[state]}
      </Row>
      <p>{meanings[state]}</p>
      {domain.missing_since && state === 'verified' && (
        <Notice tone="warn" title="The record is missing">
          <Moment at={domain.missing_since} before="Since " />. After a week without it the domain is no
          longer served.
        </Notice>
      )}
      {domain.reason && !domain.missing_since && (
        <Notice tone={state === 'verified' ? 'plain' : 'warn'}>{domain.reason}</Notice>
      )}
      <p>
        In the DNS settings of <strong>{name}</strong> , add a record of type <code>{record.type}</code>:
      </p>
      <CopyField name={`${id}-record`} label="Name" of={`the record of ${name}`} value={record.name} />
      <CopyField name={`${id}-value`} label="Value" of={`the record of ${name}`} value={record.value} />
      <Facts
        of={[
          ['Last check', <Moment key="checked" at={domain.checked_at} />],
          ['Verified', <Moment key="verified" at={domain.verified_at} />],
        ]}
      />
      <Row>
        <Form action={verifyPath} csrf={csrf} hidden={{ domain: id }} inline>
          <Button kind="plain">
            <span>
              Verify <span class="unseen">{name} </span>now
            </span>
          </Button>
        </Form>
        <ButtonLink href={`${removePath}?domain=${id}`} kind="quiet">
          Remove {name}
        </ButtonLink>
      </Row>
    </section>
  )
}

const askToRemove = (visit: SignedIn, { id, domain }: Domain) =>
  confirmDialog(visit, {
    title: `Remove ${domain}?`,
    button: `Remove ${domain}`,
    children: (
      <>
        <p>
          <strong>{domain}</strong> is no longer served at once. Everybody is signed out there, and every app
          that was connected there is disconnected.
        </p>
        {visit.host.origin === `https://${domain}` && (
          <Notice tone="warn" title="You are using this domain now">
            You will continue at the main address. Sign in there again.
          </Notice>
        )}
      </>
    ),
    action: removePath,
    hidden: { domain: id },
    back: path,
  })
