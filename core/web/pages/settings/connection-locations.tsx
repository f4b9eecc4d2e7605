/** @jsxImportSource ../../kit/jsx */

import {
  accountLocations,
  type ExistingLocation,
  existingLocationsIn,
} from '../../../connections/listing/account-locations'
import { connectionImport } from '../../../connections/listing/commands'
import { type Imported, importLocations } from '../../../connections/listing/import-locations'
import type { AccountListing, ListedLocation } from '../../../contracts/connection'
import { isServiceFault } from '../../../contracts/service-fault'
import { sentenceAfter } from '../../../kit/acts/on-page'
import { declaredConnections } from '../../../registry/declared-connections'
import { Agency } from '../../../tenancy/Agency'
import { asPerson } from '../../framework/done-by'
import { defineRoute, type Route, type SignedIn } from '../../framework/route'
import {
  Badge,
  Button,
  ButtonLink,
  Card,
  Checkbox,
  Fault,
  Form,
  Head,
  Notice,
  Row,
} from '../../kit/parts/kit'
import { faultOf } from './connect'
import { type ConnectionRow, connectionsPath, nameOf, ownConnection } from './connection'
import { Done, Name, type SettingsDeps } from './settings'

const path = `${connectionsPath}/locations`
/** Locations per page, because a form has at most 200 fields. */
const perPage = 100
const faultId = 'location-error'

const told = { added: sentenceAfter(connectionImport) }

/** The locations of a connected account, to add them. */
export const connectionLocationPages = (deps: SettingsDeps): Route[] => [
  defineRoute({
    path,
    method: 'GET',
    auth: 'session',
    handle: async (visit) => show(deps, visit, await ownConnection(deps, visit, visit.query.get('of') ?? '')),
  }),
  defineRoute({
    path,
    method: 'POST',
    auth: 'session',
    async handle(visit) {
      const connection = await ownConnection(deps, visit, visit.form.get('of'))
      return withListing(deps, visit, connection, async () => {
        const ids = visit.form.all('location')
        const trial = visit.form.get('trial') !== ''
        const done = await importLocations(asPerson(deps.owner, visit), connection, ids, { trial })
        const isFine = done.length > 0 && done.every(({ outcome }) => outcome !== 'refused')
        if (isFine)
          return visit.redirect(`${addressOf(connection, skipOf(visit.form.get('skip')))}&done=added`)
        return list(deps, visit, connection, done)
      })
    },
  }),
]

const addressOf = ({ id }: ConnectionRow, skip: number) =>
  `${path}?of=${id}${skip > 0 ? `&skip=${skip}` : ''}`

const skipOf = (text: string | null) => (/^\d{1,6}$/.test(text ?? '') ? Number(text) : 0)

const show = (deps: SettingsDeps, visit: SignedIn, connection: ConnectionRow) =>
  withListing(deps, visit, connection, () => list(deps, visit, connection))

/** Shows the service's error instead of its list. */
async function withListing(
  { owner }: SettingsDeps,
  visit: SignedIn,
  connection: ConnectionRow,
  work: () => Promise<Response>,
) {
  try {
    return await work()
  } catch (error) {
    if (!isServiceFault(error)) throw error
    const { words, hint } = faultOf(declaredConnections(owner).get(connection.provider), error)
    const title = 'Its locations cannot be listed'
    return visit.page({
      title: `Error: ${title}`,
      status: 422,
      children: (
        <Card>
          <Head title={title}>
            <Name>{nameOf(connection)}</Name>
          </Head>
          <Notice tone="bad">{words}</Notice>
          {hint && <p>{hint}</p>}
          <Row>
            <ButtonLink href={connectionsPath} kind="primary">
              Back to connections
            </ButtonLink>
          </Row>
        </Card>
      ),
    })
  }
}

async function list(
  deps: SettingsDeps,
  visit: SignedIn,
  connection: ConnectionRow,
  done?: readonly Imported[],
): Promise<Response> {
  const { owner } = deps
  const listing = await accountLocations(owner, connection)
  const standing = await existingLocationsIn(owner, connection.workspace_id)
  const agency = await owner.rows(Agency).get(visit.person.agency_id)
  const skip = skipOf(done ? visit.form.get('skip') : visit.query.get('skip'))
  return visit.page({
    title: done ? 'Error: Add locations' : 'Add locations',
    status: done ? 422 : 200,
    width: 'wide',
    children: (
      <>
        <Head title="Add locations">
          What <Name>{nameOf(connection)}</Name> has. Renown reads the locations that you add at once, and
          they count as locations of the agency.
        </Head>
        {done && done.length > 0 && <Became of={done} />}
        {!done && <Done visit={visit} told={told} />}
        <Card>
          <Listing
            listing={listing}
            standing={standing}
            connection={connection}
            skip={skip}
            csrf={visit.csrf}
            hasCapacity={agency?.paid_capacity !== undefined}
            isTrial={done !== undefined && visit.form.get('trial') !== ''}
            ticked={(done ?? []).filter(({ outcome }) => outcome === 'refused').map(({ id }) => id)}
            fault={done?.length === 0 ? 'Select at least one location.' : undefined}
          />
        </Card>
        <Elsewhere count={listing.elsewhere} />
        <Row>
          <ButtonLink href={connectionsPath} kind="quiet">
            Back to connections
          </ButtonLink>
        </Row>
      </>
    ),
  })
}

const outcomes = { added: 'added', moved: 'already read with this account', there: 'already here' }

/** Shows the result if some selected locations could not be added. */
function Became({ of: done }: { readonly of: readonly Imported[] }) {
  const hints = [...new Set(done.flatMap(({ hint }) => (hint === undefined ? [] : [hint])))]
  return (
    <Notice tone="bad" title="Some locations could not be added">
      <ul>
        {done.map(({ id, name, outcome, reason }) => (
          <li key={id}>
            <Name>{name}</Name>: {outcome === 'refused' ? reason : outcomes[outcome]}
          </li>
        ))}
      </ul>
      {hints.map((hint) => (
        <p key={hint}>{hint}</p>
      ))}
    </Notice>
  )
}

interface ListingProps {
  readonly listing: AccountListing
  readonly standing: (one: ListedLocation) => ExistingLocation | undefined
  readonly connection: ConnectionRow
  readonly skip: number
  readonly csrf: string
  /** Whether the agency's locations are counted. */
  readonly hasCapacity: boolean
  /** Whether the refused form asked for a trial. */
  readonly isTrial: boolean
  /** Selected locations that were not added. */
  readonly ticked: readonly string[]
  readonly fault: string | undefined
}

function Listing({
  listing,
  standing,
  connection,
  skip,
  csrf,
  hasCapacity,
  isTrial,
  ticked,
  fault,
}: ListingProps) {
  const { locations } = listing
  if (locations.length === 0) {
    return (
      <div class="empty">
        <strong>The account has no locations</strong>
        <span>The service returned no locations for this account.</span>
      </div>
    )
  }
  const shown = locations.slice(skip, skip + perPage)
  const hidden = { of: connection.id, skip: String(skip) }
  return (
    <>
      <Form action={path} csrf={csrf} hidden={hidden} label="Locations">
        <fieldset>
          <legend>{`Locations ${skip + 1} to ${skip + shown.length} of ${locations.length}`}</legend>
          {fault && <Fault id={faultId}>{fault}</Fault>}
          {shown.map((one) => (
            <Choice
              key={one.id}
              one={one}
              faultId={fault && faultId}
              known={standing(one)}
              isTicked={ticked.includes(one.id)}
            />
          ))}
        </fieldset>
        {hasCapacity && (
          <Checkbox
            name="trial"
            label="If no paid location is free, start the one trial of the business"
            checked={isTrial}
          />
        )}
        <Row>
          <Button>Add selected locations</Button>
        </Row>
      </Form>
      <Row align="apart">
        {skip > 0 ? (
          <ButtonLink href={addressOf(connection, Math.max(0, skip - perPage))}>Before</ButtonLink>
        ) : (
          <span />
        )}
        {skip + perPage < locations.length && (
          <ButtonLink href={addressOf(connection, skip + perPage)}>After</ButtonLink>
        )}
      </Row>
    </>
  )
}

interface ChoiceProps {
  readonly one: ListedLocation
  readonly known: ExistingLocation | undefined
  readonly isTicked: boolean
  readonly faultId: string | undefined
}

/** A location in the list. One that exists already or cannot be added has no checkbox. */
function Choice({ one, known, isTicked, faultId }: ChoiceProps) {
  const { id, profile, place, caution, refused } = one
  const name = <Name>{profile.business_name}</Name>
  const about = [place, caution].filter(Boolean).join(' · ')
  if (known?.isConnected || refused !== undefined) {
    return (
      <div class="check">
        <p>
          {name}{' '}
          <Badge tone={refused === undefined ? 'good' : 'warn'}>
            {refused === undefined ? 'here' : 'not here'}
          </Badge>
        </p>
        <p class="hint">{refused ?? about}</p>
      </div>
    )
  }
  const moves =
    known && 'It was already added in another way. Renown would read it with this account from now on.'
  const hint = [about, moves].filter(Boolean).join(' · ')
  return (
    <Checkbox
      name="location"
      value={id}
      label={name}
      hint={hint === '' ? undefined : <Name>{hint}</Name>}
      checked={isTicked}
      faultId={faultId}
    />
  )
}

const Elsewhere = ({ count }: { readonly count: number }) =>
  count === 0 ? null : (
    <Notice>
      {`${count} more ${count === 1 ? 'location is' : 'locations are'} available through other accounts, such as business groups. Add them from those accounts.`}
    </Notice>
  )
