/** @jsxImportSource renown/web */
import {
  Button,
  ButtonLink,
  Card,
  Copyable,
  Form,
  Head,
  Notice,
  type PageElement,
  type PageProps,
  Row,
} from 'renown/web'
import { Recipe } from '../senders/recipe-view'
import type { ShownToken } from '../sites/site-acts'
import { InstallCheck } from './install-check'
import { queryOf } from './install-query'
import type { InstallData, InstallSite } from './installPage'
import { SenderChoice } from './sender-choice'
import { TokenOnce } from './token-once'

/** The tag, the check, and the set-up page of a log sender. */
export default function Install(props: PageProps<InstallData>) {
  const { site } = props.data
  return (
    <>
      <Head title="Install">
        Two things are counted: people who come from an AI assistant, by a tag on your pages, and the crawlers
        of AI companies, by your server's log. Either works without the other.
      </Head>
      {props.outcome?.fault && <Notice tone="bad" title={props.outcome.fault} />}
      {props.data.unknown_site !== null && (
        <Notice tone="warn" title="There is no such site in this workspace">
          No site has the id <bdi>{props.data.unknown_site}</bdi>.{' '}
          {site && (
            <>
              You see <bdi title={site.domain}>{site.name}</bdi>.{' '}
            </>
          )}
          <a href="/app/sites">Show all sites</a>
        </Notice>
      )}
      {site ? <OfSite {...props} site={site} /> : <NoSite mayMake={props.data.may_change} />}
    </>
  )
}

const NoSite = ({ mayMake }: { readonly mayMake: boolean }) => (
  <Card title="There is no site yet">
    <p>
      {mayMake ? 'Create the first one' : 'An owner creates the first one'}. Its tag and its set-up pages then
      appear here.
    </p>
    {mayMake && (
      <Row>
        <ButtonLink href="/app/sites" kind="primary">
          Create a site
        </ButtonLink>
      </Row>
    )}
  </Card>
)

type OfSiteProps = PageProps<InstallData> & { readonly site: InstallSite }

function OfSite(props: OfSiteProps) {
  const { data, site, outcome, path } = props
  const shown = outcome?.action === 'rotate' && outcome.ok ? (outcome.shown as ShownToken) : null
  const token = shown?.site_id === site.id ? shown.forwarder_token : undefined
  return (
    <>
      <SiteChoice {...props} />
      {shown && <TokenOnce shown={shown} saved={`${path}?${queryOf(data)}#log`} />}
      {!site.is_active && (
        <Notice tone="warn" title={`${site.name} is switched off`}>
          Renown does not count it.{' '}
          {data.may_change ? <a href="/app/sites">Switch it on</a> : 'An owner can switch it on.'}
        </Notice>
      )}
      <Card
        title="1. The tag"
        about={
          <>
            Paste it into every page of <bdi title={site.domain}>{site.name}</bdi>, before the end of its
            head.
          </>
        }
        id="tag"
      >
        <Copyable label="the tag" value={site.beacon_tag} />
        <p class="hint">
          It checks where a visitor came from, and reports only visits from AI assistants. It sets no cookie
          and stores nothing.
        </p>
      </Card>
      <InstallCheck key={site.id} {...props} />
      <Senders {...props} token={token} />
    </>
  )
}

function SiteChoice({ data, site, path, go }: OfSiteProps) {
  if (data.sites.length < 2) return null
  const known = data.sites.some(({ id }) => id === site.id)
  const sites = known ? data.sites : [site, ...data.sites]
  return (
    <form method="get" action={path} class="choice" aria-label="Choose a site">
      <div class="field">
        <label for="site">Site</label>
        <select
          id="site"
          name="site"
          onChange={(event) => go(new URLSearchParams({ site: typedIn(event.currentTarget) }).toString())}
        >
          {sites.map(({ id, domain, name }) => (
            <option key={id} value={id} selected={id === site.id} title={domain}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {data.sender && <input type="hidden" name="sender" value={data.sender.page} />}
      <Button kind="plain">Show</Button>
      {data.has_more && (
        <p class="hint">
          These are the first sites {String(data.sites.length)}. <a href="/app/sites">Look for another</a>
        </p>
      )}
    </form>
  )
}

const typedIn = (element: PageElement) => element.value ?? ''

function Senders({ data, site, path, csrf, token }: OfSiteProps & { readonly token: string | undefined }) {
  const { sender, senders } = data
  const linkTo = (page: string) => `${path}?${queryOf(data, { sender: page })}#sender`
  return (
    <Card
      id="log"
      title="3. The log"
      about="Crawlers run no scripts. Renown counts them from your access log, or from a program of yours. Choose what your website runs on."
    >
      <SenderChoice
        groups={senders}
        chosen={sender?.page}
        find={data.find}
        path={path}
        keep={Object.fromEntries(new URLSearchParams(queryOf(data)))}
        linkTo={linkTo}
      />
      <p class="hint">
        Is your log JSON of its own?{' '}
        <a href={`/app/sites/mapping?site=${encodeURIComponent(site.id)}`}>Choose its fields</a>
      </p>
      {sender && (
        <section class="stack" aria-labelledby="sender">
          <h2 id="sender">{sender.title}</h2>
          {token === undefined && sender.needs_token && (
            <Notice>
              Put the forwarder token of <bdi title={site.domain}>{site.name}</bdi> where{' '}
              <code>{'<forwarder token>'}</code> appears. It ends in <code>{site.forwarder_token_last4}</code>{' '}
              and was shown once. If it is lost,{' '}
              {data.may_change ? 'make another' : 'ask an owner for another'}. The old one stops working at
              once.
              {data.may_change && (
                <Form
                  action={`${path}/rotate`}
                  csrf={csrf}
                  hidden={{ site: site.id, back: `${path}?${queryOf(data)}` }}
                  label="Forwarder token"
                >
                  <Row>
                    <Button kind="plain">Rotate the token of {site.name} and fill it in</Button>
                  </Row>
                </Form>
              )}
            </Notice>
          )}
          {sender.page === 'wordpress' && (
            <Row>
              <ButtonLink href="/app/data/install/renown-wordpress.zip">
                Download the WordPress plugin
              </ButtonLink>
            </Row>
          )}
          <Recipe
            nodes={sender.nodes}
            values={{ ingestUrl: data.ingest_url, domain: site.domain, token, siteKey: site.site_key }}
            linkTo={linkTo}
          />
        </section>
      )}
    </Card>
  )
}
