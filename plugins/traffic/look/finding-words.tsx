/** @jsxImportSource renown/web */
import { Badge, type Children } from 'renown/web'
import { type Finding, type FindingCode, findingTones } from './site-findings'

export interface FindingListProps {
  /** The checked page. */
  readonly page: string
  readonly findings: readonly Finding[]
}

/** Shows the findings of a check, and what to do. */
export function FindingList({ page, findings }: FindingListProps) {
  return (
    <section class="findings" aria-label="What the check found">
      <p>
        Checked <bdi>{page}</bdi>:
      </p>
      <ul class="signs">
        {findings.map((found, at) => {
          const tone = findingTones[found.code]
          return (
            <li key={at} data-finding={found.code}>
              <Badge tone={tone}>{tone === 'good' ? '✓ fine' : tone === 'warn' ? 'look' : '! fix'}</Badge>
              <span>{words[found.code](found)}</span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}

type Words = (found: Finding) => Children

const Said = ({ children }: { readonly children: string | undefined }) => (
  <code>
    <bdi>{children}</bdi>
  </code>
)

const unfetched =
  (what: string): Words =>
  ({ detail }) => (
    <>
      {what} <Said>{detail}</Said>
    </>
  )

const words: Readonly<Record<FindingCode, Words>> = {
  site_off: () => 'The site is switched off, so its script is not served. Switch it on under Sites.',
  ingest_local: ({ detail }) => (
    <>
      The ingest is at <Said>{detail}</Said>, which only this machine can reach. Set{' '}
      <code>RENOWN_INGEST_URL</code> to an address that your visitors can reach, and paste the new tag.
    </>
  ),
  mixed_content: ({ detail }) => (
    <>
      Your page uses https and the ingest, at <Said>{detail}</Said>, does not. Browsers block that. Give the
      ingest a certificate.
    </>
  ),
  page_refused: unfetched('Renown cannot check this page. Only your browser can.'),
  page_unresolvable: unfetched('The domain is not in the DNS. Check the spelling.'),
  page_unreachable: unfetched('The site does not answer.'),
  page_certificate: unfetched('The certificate of the site is not valid, so browsers show a warning.'),
  page_timeout: unfetched('The site takes too long to answer.'),
  page_redirect: unfetched('The site redirects in a circle, or too many times.'),
  page_too_large: unfetched('The page is too large to check.'),
  page_malformed: unfetched('The site answers with something that is not a web page.'),
  page_elsewhere: ({ detail, wanted }) => (
    <>
      The page redirects to another domain, <Said>{detail}</Said>. Visits there are not of{' '}
      <Said>{wanted}</Said>: create a site for it.
    </>
  ),
  page_status: ({ detail }) => (
    <>
      The page answers with status <Said>{detail}</Said>. Choose a page that everybody may see.
    </>
  ),
  page_no_html: unfetched('The address is not a web page, but'),
  page_found: ({ detail }) => (
    <>
      The page exists: <Said>{detail}</Said>
    </>
  ),
  tag_found: ({ detail }) => (
    <>
      The page has the tag: <Said>{detail}</Said>
    </>
  ),
  tag_missing: () =>
    'The HTML of the page does not have the tag. Is the change published? A tag manager adds it later, which only your browser sees.',
  tag_as_text: () =>
    'The site key is on the page, but not in a script. An editor may have turned the tag into text, or it is in a comment.',
  tag_other_key: ({ detail, wanted }) => (
    <>
      The page has the tag of another site, <Said>{detail}</Said>. This site's key is <Said>{wanted}</Said>.
    </>
  ),
  tag_held_back: ({ detail }) => (
    <>
      The tag has the type <Said>{detail}</Said>, so it does not run: a consent manager blocks it.
    </>
  ),
  tag_module: () => (
    <>
      The tag is a module, which does not know its own address. Remove <code>type="module"</code>.
    </>
  ),
  tag_other_host: ({ detail, wanted }) => (
    <>
      The tag loads from <Said>{detail}</Said>, but the ingest is at <Said>{wanted}</Said>.
    </>
  ),
  from_cache: ({ detail }) => (
    <>
      The page came from a cache (<Said>{detail}</Said>), which may be older than the tag. Purge it.
    </>
  ),
  csp_script: ({ detail, wanted }) => (
    <>
      The page's content security policy forbids the script: <Said>{detail}</Said>. Add <Said>{wanted}</Said>{' '}
      to <code>script-src</code>.
    </>
  ),
  csp_connect: ({ detail, wanted }) => (
    <>
      The page's content security policy forbids the requests of the script: <Said>{detail}</Said>. Add{' '}
      <Said>{wanted}</Said> to <code>connect-src</code>.
    </>
  ),
  script_served: ({ detail }) => (
    <>
      The script is served by <Said>{detail}</Said>
    </>
  ),
  script_not_served: ({ detail, wanted }) => (
    <>
      The script is not served at <Said>{wanted}</Said>: <Said>{detail}</Said>
    </>
  ),
}
