/** @jsxImportSource ../jsx */
import { isRefusal } from '../../contracts/errors'
import { definePage, type Page, type SignedIn } from '../define-page'
import { Button, Head, Notice, Row } from '../kit'
import { Done } from '../settings/settings'
import { type Act, acts, runAct } from './acts'
import { AuditCard } from './audit-card'
import { auditsOf, isAuditOpen } from './audits'
import { usedOf } from './capacity'
import { Known } from './known'
import { addressOf, type Found, findLocation, type LocationDeps, onePath, refuseDemo } from './location-deps'
import { Notes } from './notes'
import { ActForm, type Editing, type Outcome, outcomeOf, Refused } from './outcome'
import { Profile } from './profile'
import { Readings, readingsOf } from './readings'
import { Replies, rulesOf } from './replies'
import { Standing } from './standing'
import { Working } from './working'

/** One location: all that is known of it, how it stands, and what its owner may change. */
export const onePages = (deps: LocationDeps): Page[] => [
  definePage({
    path: onePath,
    method: 'GET',
    auth: 'session',
    async handle(visit) {
      const found = await findLocation(deps, visit, visit.query.get('location') ?? '')
      // A link names a location alone; the pages are then about its workspace.
      if (found.place.id !== visit.place?.id)
        return visit.redirect(
          `${addressOf(found.location.id)}&workspace=${encodeURIComponent(found.place.id)}`,
        )
      return show(deps, visit, found, null)
    },
  }),
  ...Object.entries(acts).map(([name, act]) => acting(deps, name, act)),
]

const acting = (deps: LocationDeps, name: string, act: Act): Page =>
  definePage({
    path: `${onePath}/${name}`,
    method: 'POST',
    auth: 'session',
    only: 'owner',
    back: onePath,
    async handle(visit) {
      const found = await findLocation(deps, visit, visit.form.get('location'))
      refuseDemo(found.mayChange)
      try {
        await runAct(deps, visit, act, found.location)
      } catch (error) {
        if (!isRefusal(error) || error.status >= 500) throw error
        return show(deps, visit, found, outcomeOf(name, visit.form, error))
      }
      return visit.redirect(`${addressOf(found.location.id)}&done=${name}`)
    },
  })

const told = {
  added: 'It is added. What there is to read of it is read within a few minutes.',
  ...Object.fromEntries(Object.entries(acts).map(([name, { told }]) => [name, told])),
}

async function show(
  deps: LocationDeps,
  visit: SignedIn,
  { location, place, mayChange }: Found,
  outcome: Outcome | null,
): Promise<Response> {
  const { person, csrf } = visit
  const [readings, rules, audits, used] = await Promise.all([
    readingsOf(deps, location.id),
    rulesOf(deps, place),
    auditsOf(deps, [location.id]),
    person.role === 'owner' ? usedOf(deps, place) : null,
  ])
  const editing: Editing | null = mayChange ? { id: location.id, csrf, outcome } : null
  const audit = audits.get(location.id)
  const name = location.business_name
  const may = (command: string) => deps.commands.has(command)
  return visit.page({
    title: outcome ? `Error: ${name}` : name,
    status: outcome ? 422 : 200,
    width: 'wide',
    copies: true,
    children: (
      <>
        <Head title={name} />
        <Row>
          <Standing of={location} />
        </Row>
        {outcome ? <Refused outcome={outcome} /> : <Done visit={visit} told={told} />}
        {outcome?.offersTrial && editing && <Try act={outcome.act} editing={editing} />}
        {location.is_prospect && (
          <AuditCard audit={audit}>
            {editing && may('prospect audit') && !isAuditOpen(audit) && (
              <Audit isThere={audit !== undefined} editing={editing} />
            )}
          </AuditCard>
        )}
        <Profile of={location} editing={editing} />
        <Working of={location} used={used} editing={editing} />
        <Known of={location} editing={editing} may={may} />
        <Notes of={location} editing={editing} />
        {rules !== undefined && !location.is_prospect && (
          <Replies of={location} rules={rules} agencyId={place.info.agency_id} editing={editing} />
        )}
        <Readings of={readings} />
        {audit && !location.is_prospect && <AuditCard audit={audit} />}
      </>
    ),
  })
}

/** The way out where all that is paid for is in use. */
const Try = ({ act, editing }: { readonly act: string; readonly editing: Editing }) => (
  <Notice title="It can begin with a trial">
    <p>Outside of what is paid for, and once for a business.</p>
    <ActForm to={act} of={editing} hidden={{ trial: 'yes' }} label="Begin with a trial" inline>
      <Button kind="plain">Begin with a trial</Button>
    </ActForm>
  </Notice>
)

const Audit = ({ isThere, editing }: { readonly isThere: boolean; readonly editing: Editing }) => (
  <ActForm
    to="audit"
    of={editing}
    hidden={isThere ? { again: 'yes' } : {}}
    label={isThere ? 'Audit it again' : 'Audit it'}
    inline
  >
    <Button kind="plain">{isThere ? 'Audit it again' : 'Audit it'}</Button>
  </ActForm>
)
