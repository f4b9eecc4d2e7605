/** @jsxImportSource renown/web */
import {
  Badge,
  Button,
  ButtonLink,
  Card,
  Checkbox,
  Facts,
  Field,
  Form,
  Head,
  Moment,
  Notice,
  normaliseDomain,
  type PageProps,
  Row,
  Select,
} from 'renown/web'
import type { ShownToken } from '../sites/site-acts'
import type { ShownSite, SitesData } from './sitesPage'
import { TokenOnce } from './token-once'

type Props = PageProps<SitesData>

/** The sites of a workspace. */
export default function Sites(props: Props) {
  const { data, outcome, path } = props
  const shown = outcome?.ok && outcome.shown ? (outcome.shown as ShownToken) : null
  return (
    <>
      <Head title="Sites">
        The websites that Renown counts. The tag and the log set-up of a site are under{' '}
        <a href="/app/install">Install</a>.
      </Head>
      {props.notice !== null && <Notice tone="good">{props.notice}</Notice>}
      {outcome?.fault && <Notice tone="bad" title={outcome.fault} />}
      {shown && <TokenOnce shown={shown} saved={`/app/install?site=${encodeURIComponent(shown.site_id)}`} />}
      {data.unknown_page !== null && (
        <Notice tone="warn" title="There is no such page of sites">
          <bdi>{data.unknown_page}</bdi> is not a page of this list. You see the first page.{' '}
          <a href={path}>Show all sites</a>
        </Notice>
      )}
      {(data.count > data.sites.length || data.q !== '') && <Search q={data.q} path={path} />}
      {data.sites.length === 0 && data.count > 0 && (
        <Card title={data.q === '' ? 'There are no more sites' : 'No site has this name'}>
          <a href={path}>Show all sites</a>
        </Card>
      )}
      {data.sites.map((site) => (
        <Site key={site.id} site={site} {...props} />
      ))}
      <Turning {...data} path={path} />
      {data.may_change ? <NewSite {...props} /> : <p class="hint">Owners add and change sites.</p>}
    </>
  )
}

const Search = ({ q, path }: { readonly q: string; readonly path: string }) => (
  <form method="get" action={path} class="choice" aria-label="Search sites">
    <Field name="q" label="Domain" type="search" value={q} optional />
    <Button kind="plain">Search</Button>
  </form>
)

function Turning({ page, has_more, q, path }: SitesData & { readonly path: string }) {
  const at = (to: number) => `${path}?${new URLSearchParams({ ...(q ? { q } : {}), at: String(to) })}`
  if (page === 1 && !has_more) return null
  return (
    <nav aria-label="Pages of sites">
      <Row align="apart">
        {page > 1 ? <ButtonLink href={at(page - 1)}>Before</ButtonLink> : <span />}
        {has_more && <ButtonLink href={at(page + 1)}>More sites</ButtonLink>}
      </Row>
    </nav>
  )
}

function Site({ site, ...props }: Props & { readonly site: ShownSite }) {
  return (
    <Card
      id={site.id}
      title={<bdi title={site.domain}>{site.name}</bdi>}
      about={<bdi class="brief">{site.location}</bdi>}
    >
      <Facts
        of={[
          [
            'State',
            site.is_active ? (
              <Badge key="state" tone="good">
                counted
              </Badge>
            ) : (
              <Badge key="state" tone="warn">
                switched off
              </Badge>
            ),
          ],
          ['Last visit counted', <Moment key="beacon" at={site.last_beacon_at ?? undefined} />],
          ['Last crawler hit', <Moment key="log" at={site.last_log_at ?? undefined} />],
          ['Time zone', site.timezone],
          [
            'Forwarder token',
            <>
              ends in <code>{site.forwarder_token_last4}</code>
            </>,
          ],
        ]}
      />
      <Row>
        <ButtonLink href={`/app/install?site=${encodeURIComponent(site.id)}`}>
          Install<span class="unseen"> {site.name}</span>
        </ButtonLink>
        <ButtonLink href={`/app/sites/one?site=${encodeURIComponent(site.id)}`}>
          Rename or delete<span class="unseen"> {site.name}</span>
        </ButtonLink>
      </Row>
      {props.data.may_change && <Changes site={site} {...props} />}
    </Card>
  )
}

function Changes({ site, path, csrf, search }: Props & { readonly site: ShownSite }) {
  const back = search === '' ? path : `${path}?${search}`
  return (
    <details>
      <summary>Change {site.name}</summary>
      <div class="stack">
        <Form
          action={`${path}/change`}
          csrf={csrf}
          hidden={{ site: site.id, back }}
          label={`Change ${site.name}`}
        >
          <Switches {...site} id={site.id} />
          <Row>
            <Button kind="plain">
              Save<span class="unseen"> {site.name}</span>
            </Button>
          </Row>
        </Form>
        <Form
          action={`${path}/rotate`}
          csrf={csrf}
          hidden={{ site: site.id }}
          label={`Token of ${site.name}`}
        >
          <p>
            A new forwarder token is shown once. The one ending in <code>{site.forwarder_token_last4}</code>{' '}
            stops working at once. Log senders are refused until they have the new token.
          </p>
          <Row>
            <Button kind="danger">Rotate the token of {site.name}</Button>
          </Row>
        </Form>
      </div>
    </details>
  )
}

type SwitchesProps = Pick<ShownSite, 'count_search_engines' | 'respect_dnt'> & {
  readonly id: string
  readonly is_active?: boolean
}

/** The switches of a site. Ids contain the name and the value, because a page has several sites. */
function Switches({ id, is_active, count_search_engines, respect_dnt }: SwitchesProps) {
  return (
    <fieldset id={`switches-${id}`}>
      <legend class="unseen">What is counted</legend>
      {is_active !== undefined && (
        <Switch name="is_active" of={id} checked={is_active} label="Count this site">
          While it is off, its tag and its log are refused. Existing counts stay.
        </Switch>
      )}
      <Switch
        name="count_search_engines"
        of={id}
        checked={count_search_engines}
        label="Count Googlebot and bingbot too"
      >
        They fetch pages for search and for AI.
      </Switch>
      <Switch name="respect_dnt" of={id} checked={respect_dnt} label="Leave out visitors with Do Not Track">
        Global Privacy Control is always respected.
      </Switch>
    </fieldset>
  )
}

interface SwitchProps {
  readonly name: string
  readonly of: string
  readonly checked: boolean
  readonly label: string
  readonly children: string
}

const Switch = ({ name, of, checked, label, children }: SwitchProps) => (
  <Checkbox name={name} id={`${name}-${of}`} label={label} checked={checked} hint={children} />
)

function NewSite({ data, outcome, path, csrf }: Props) {
  const failed = outcome?.action === 'create' && !outcome.ok ? outcome : null
  const typed = (name: string, otherwise: string) => String(failed?.values?.[name] ?? otherwise)
  const taken = failed?.faults?.domain ? normaliseDomain(typed('domain', '')) : null
  if (data.locations.length === 0)
    return (
      <Card title="A site belongs to a location">
        <p>This workspace has no location yet. Create a location first, then its sites.</p>
      </Card>
    )
  return (
    <Card title="New site" id="new" about="Its subdomains count too. Its forwarder token is shown only once.">
      <Form action={`${path}/create`} csrf={csrf} label="New site">
        <Field
          name="domain"
          label="Domain"
          placeholder="shop.example"
          value={typed('domain', '')}
          error={failed?.faults?.domain}
          inputmode="url"
          autocomplete="off"
        />
        {taken && <a href={`?q=${encodeURIComponent(taken)}`}>{`Show the site ${taken}`}</a>}
        <Select
          name="location_id"
          label="Location"
          options={data.locations.map(({ id, name }) => [id, name] as const)}
          value={typed('location_id', '')}
          error={failed?.faults?.location_id}
        />
        <Field
          name="timezone"
          label="Time zone of its days"
          value={typed('timezone', data.timezone)}
          hint="Such as Europe/Madrid. It cannot be changed later."
          error={failed?.faults?.timezone}
          autocomplete="off"
        />
        <Switches
          id="new"
          count_search_engines={failed?.values?.count_search_engines === 'yes'}
          respect_dnt={failed ? failed.values?.respect_dnt === 'yes' : true}
        />
        <Row>
          <Button>Create the site</Button>
        </Row>
      </Form>
    </Card>
  )
}
