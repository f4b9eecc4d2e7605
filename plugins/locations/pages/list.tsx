/** @jsxImportSource renown/web */
import type { TypedIdInput } from 'renown/records'
import {
  Button,
  ButtonLink,
  Card,
  type Children,
  Downloads,
  Field,
  Head,
  type PageProps,
  Row,
  Table,
} from 'renown/web'
import { addressOf, listPath } from '../addresses'
import type { Used } from '../capacity'
import { ReviewRating, ratingOf } from '../cards/location-state'
import type { Location } from '../contract'
import { AddForm } from './add-form'

/** The filters in the address of the list. */
export interface ListFilters {
  readonly prospects: boolean
  readonly find: string
  /** Pages of the list, from 1. */
  readonly at: number
}

/** A column that a plugin adds. */
interface Column {
  readonly title: string
  /** Texts by location id. */
  readonly texts: Readonly<Record<string, string>>
}

/** The data of the page. */
export interface ListData {
  readonly asked: ListFilters
  readonly rows: readonly Location[]
  readonly columns: readonly Column[]
  readonly hasMore: boolean
  /** Null if locations are not counted, or if the person may not see the count. */
  readonly used: Used | null
  readonly mayAdd: boolean
  /** The ids on platforms that can be typed. */
  readonly ids: readonly TypedIdInput[]
}

/** The page with the businesses of a workspace. */
export default function List({ data, csrf, outcome }: PageProps<ListData>) {
  const { hasMore, used, mayAdd } = data
  const asked = { ...data.asked, prospects: data.asked.prospects || outcome?.values?.kind === 'prospect' }
  return (
    <>
      <Head title="Business locations">
        Each review and each website belongs to one.{used && ` ${used.words}`}
      </Head>
      <Views prospects={data.asked.prospects} />
      <Card>
        {(hasMore || asked.at > 1 || asked.find !== '') && <Find asked={data.asked} />}
        <Locations {...data} />
        <Turning asked={data.asked} hasMore={hasMore} />
        {data.rows.length > 0 && (
          <Downloads
            of="locations"
            query={addressWith({ ...data.asked, at: 1 }).split('?')[1] ?? ''}
            label="all locations of this list"
          />
        )}
      </Card>
      {mayAdd && (
        <AddForm
          csrf={csrf}
          outcome={outcome}
          isProspect={asked.prospects}
          isFull={used?.isFull === true}
          ids={data.ids}
        />
      )}
    </>
  )
}

const addressWith = ({ prospects, find, at }: ListFilters) => {
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

const Find = ({ asked: { prospects, find } }: { readonly asked: ListFilters }) => (
  <form method="get" action={listPath} aria-label="Find locations">
    {prospects && <input type="hidden" name="view" value="prospects" />}
    <Field name="find" label="Name, city or website" type="search" value={find} autocomplete="off" optional />
    <Row>
      <Button kind="plain">Find</Button>
    </Row>
  </form>
)

function Turning({ asked, hasMore }: { readonly asked: ListFilters; readonly hasMore: boolean }) {
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

/** The table of locations. The state is in the second column, so that phones show it too. */
function Locations({ rows, columns, asked: { prospects, find } }: ListData) {
  const titles = columns.map(({ title }) => title)
  const textsOf = (row: Location) => columns.map(({ texts }) => texts[row.id] ?? '–')
  return prospects ? (
    <Table
      label="Prospects"
      columns={['Name', ...titles, 'Rating', 'Place', 'Website']}
      rows={rows.map((row) => cells(row, textsOf(row)))}
      empty={
        find === ''
          ? 'There are no prospects. A prospect is a business that you pitch to. Renown audits it and does no other work for it.'
          : 'No location has this name.'
      }
    />
  ) : (
    <Table
      label="Clients"
      columns={['Name', 'State', ...titles, 'Rating', 'Place', 'Website']}
      rows={rows.map((row) => cells(row, [<ReviewRating key="state" of={row} />, ...textsOf(row)]))}
      empty={
        find === '' ? 'You have no locations yet. Add the first one below.' : 'No location has this name.'
      }
    />
  )
}

const cells = (row: Location, standing: readonly Children[]) => [
  <a key="name" href={addressOf(row.id)}>
    <bdi>{row.business_name}</bdi>
  </a>,
  ...standing,
  ratingOf(row),
  <bdi key="place" class="capped">
    {[row.city, row.country].filter(Boolean).join(', ') || '–'}
  </bdi>,
  <bdi key="site" class="capped">
    {row.website?.replace(/^https?:\/\//, '') || '–'}
  </bdi>,
]
