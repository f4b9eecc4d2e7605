/** @jsxImportSource ../jsx */
import { everything, where } from '../../contracts/where'
import { BusinessLocation } from '../../tenancy/BusinessLocation'
import { definePage, type Page, type SignedIn } from '../define-page'
import type { Children } from '../jsx/jsx-runtime'
import { Button, ButtonLink, Card, Field, Head, Row, Table } from '../kit'
import { noPlace } from '../parts/no-place'
import type { Place } from '../places'
import { AddForm, addLocation, type Typed, untyped } from './add-form'
import { auditsOf, auditWords } from './audits'
import { usedOf } from './capacity'
import { addressOf, type LocationDeps, listPath, mayChange, refuseDemo } from './location-deps'
import { onePages } from './one'
import { type Location, ratingOf, Standing } from './standing'
import { surePages } from './sure'

const shownMax = 100

/** What the list is asked for. */
interface Asked {
  readonly prospects: boolean
  readonly find: string
  /** Pages of the list, from 1. */
  readonly at: number
}

/** The businesses that a workspace is about: the list of them, and a page for each. */
export const locationPages = (deps: LocationDeps): Page[] => [
  ...listPages(deps),
  ...onePages(deps),
  ...surePages(deps),
]

/** Clients and prospects apart, and a form for one more. */
const listPages = (deps: LocationDeps): Page[] => [
  definePage({
    path: listPath,
    method: 'GET',
    nav: 'Locations',
    navOrder: 80,
    auth: 'session',
    handle: (visit) => (visit.place ? show(deps, visit, visit.place, untyped) : noPlace(visit)),
  }),
  definePage({
    path: listPath,
    method: 'POST',
    auth: 'session',
    only: 'owner',
    async handle(visit) {
      // Another tab may have chosen another workspace since: the form says which one it was shown for.
      const named = visit.form.get('of')
      const place = named === '' ? visit.place : await deps.places.find(visit.person, named)
      if (!place) return noPlace(visit)
      refuseDemo(mayChange(visit.person, place))
      const added = await addLocation(deps, visit, place)
      if ('typed' in added) return show(deps, visit, place, added.typed)
      return visit.redirect(`${addressOf(added.id)}&done=added`)
    },
  }),
]

const askedOf = ({ query }: SignedIn, typed: Typed): Asked => {
  const at = Number.parseInt(query.get('at') ?? '1', 10)
  return {
    prospects: query.get('view') === 'prospects' || typed.kind === 'prospect',
    find: (query.get('find') ?? '').trim().slice(0, 200),
    at: at >= 1 && at <= 10_000 ? at : 1,
  }
}

async function show(deps: LocationDeps, visit: SignedIn, place: Place, typed: Typed): Promise<Response> {
  const asked = askedOf(visit, typed)
  const [found, capacity] = await Promise.all([
    rowsOf(deps, place, asked),
    visit.person.role === 'owner' ? usedOf(deps, place) : null,
  ])
  const hasMore = found.length > shownMax
  const rows = found.slice(0, shownMax)
  const isFaulty = typed.refused !== undefined
  return visit.page({
    title: isFaulty ? 'Error: Business locations' : 'Business locations',
    status: isFaulty ? 422 : 200,
    width: 'wide',
    children: (
      <>
        <Head title="Business locations">
          Each review and each website belongs to one.{capacity && ` ${capacity.words}`}
        </Head>
        <Views prospects={asked.prospects} />
        <Card>
          {(hasMore || asked.at > 1 || asked.find !== '') && <Find asked={asked} />}
          {asked.prospects ? (
            <Prospects rows={rows} audits={await auditsOf(deps, idsOf(rows))} asked={asked} />
          ) : (
            <Clients rows={rows} asked={asked} />
          )}
          <Turning asked={asked} hasMore={hasMore} />
        </Card>
        {mayChange(visit.person, place) && (
          <AddForm
            csrf={visit.csrf}
            of={place.id}
            typed={typed}
            prospects={asked.prospects}
            isFull={capacity?.isFull === true}
          />
        )}
      </>
    ),
  })
}

const idsOf = (rows: readonly Location[]) => rows.map(({ id }) => id)

/** One more than are shown, to know whether there are more. */
function rowsOf({ owner }: LocationDeps, place: Place, { prospects, find, at }: Asked): Promise<Location[]> {
  const named = (field: string) => ({ op: 'contains', field, value: find }) as const
  return owner.rows(BusinessLocation).list({
    where: where.and(
      where.eq('workspace_id', place.id),
      where.eq('is_prospect', prospects),
      find === '' ? everything : where.or(named('business_name'), named('city'), named('website')),
    ),
    sort: [{ field: 'business_name', direction: 'asc' }],
    skip: (at - 1) * shownMax,
    limit: shownMax + 1,
  })
}

const addressWith = ({ prospects, find, at }: Asked) => {
  const query = new URLSearchParams({
    ...(prospects ? { view: 'prospects' } : {}),
    ...(find === '' ? {} : { find }),
    ...(at === 1 ? {} : { at: String(at) }),
  })
  return query.size === 0 ? listPath : `${listPath}?${query}`
}

const Views = ({ prospects }: { readonly prospects: boolean }) => (
  <nav class="views" aria-label="Kinds of locations">
    <ul>
      {([false, true] as const).map((each) => (
        <li key={String(each)}>
          <a
            href={addressWith({ prospects: each, find: '', at: 1 })}
            aria-current={each === prospects ? 'page' : undefined}
          >
            {each ? 'Prospects' : 'Clients'}
          </a>
        </li>
      ))}
    </ul>
  </nav>
)

const Find = ({ asked: { prospects, find } }: { readonly asked: Asked }) => (
  <form method="get" action={listPath} aria-label="Find locations">
    {prospects && <input type="hidden" name="view" value="prospects" />}
    <Field name="find" label="Name, city or website" type="search" value={find} autocomplete="off" optional />
    <Row>
      <Button kind="plain">Find</Button>
    </Row>
  </form>
)

function Turning({ asked, hasMore }: { readonly asked: Asked; readonly hasMore: boolean }) {
  if (asked.at === 1 && !hasMore) return null
  return (
    <nav aria-label="Pages of locations">
      <Row align="apart">
        {asked.at > 1 ? (
          <ButtonLink href={addressWith({ ...asked, at: asked.at - 1 })}>Before</ButtonLink>
        ) : (
          <span />
        )}
        {hasMore && (
          <ButtonLink href={addressWith({ ...asked, at: asked.at + 1 })}>More locations</ButtonLink>
        )}
      </Row>
    </nav>
  )
}

interface ShownProps {
  readonly rows: readonly Location[]
  readonly asked: Asked
}

const Clients = ({ rows, asked }: ShownProps) => (
  <Table
    label="Clients"
    columns={['Name', 'State', 'Rating', 'Place', 'Website']}
    rows={rows.map((row) => cells(row, <Standing key="state" of={row} />))}
    empty={asked.find === '' ? 'There is none yet. Add the first one below.' : 'None is called so.'}
  />
)

const Prospects = ({
  rows,
  audits,
  asked,
}: ShownProps & { audits: Awaited<ReturnType<typeof auditsOf>> }) => (
  <Table
    label="Prospects"
    columns={['Name', 'Audit', 'Rating', 'Place', 'Website']}
    rows={rows.map((row) => cells(row, auditWords(audits.get(row.id))))}
    empty={
      asked.find === ''
        ? 'There is none. A prospect is a business that you pitch: it is looked at, and not worked on.'
        : 'None is called so.'
    }
  />
)

/** How it stands comes second, so that it is seen on a phone too. */
const cells = (row: Location, standing: Children) => [
  <a key="name" href={addressOf(row.id)}>
    <bdi>{row.business_name}</bdi>
  </a>,
  standing,
  ratingOf(row),
  <bdi key="place" class="capped">
    {[row.city, row.country].filter(Boolean).join(', ') || '–'}
  </bdi>,
  <bdi key="site" class="capped">
    {row.website?.replace(/^https?:\/\//, '') || '–'}
  </bdi>,
]
