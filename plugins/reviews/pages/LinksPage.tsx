/** @jsxImportSource renown/web */
import { Card, CopyField, Empty, Filters, Head, type PageProps } from 'renown/web'
import type { LinksData } from './links-page'
import { Subnav } from './subnav'

const path = '/app/reviews/links'

/** Shows the address where customers write a review: a link to copy, and a QR code to print. */
export default function LinksPage({ data }: PageProps<LinksData>) {
  const { links, locations, location, name } = data
  return (
    <>
      <Head title="Review links">
        Ask customers for a review with a link, or print the QR code. Ask everybody, not only happy customers.
      </Head>
      <Subnav path={path} />
      {locations.length > 1 && (
        <Filters
          action={path}
          label="Choose a location"
          filters={[{ name: 'location', label: 'Location', value: location, options: locations }]}
        />
      )}
      {links.length === 0 && (
        <Empty
          text="This location has no link yet: its Google place id or Facebook Page is not known."
          action={<a href="/app/locations">All locations</a>}
        />
      )}
      {links.map(({ platform, url, qr }, place) => (
        <Card key={platform} title={platform} about={<bdi>{name}</bdi>}>
          <CopyField name={`link-${place}`} label="Link" value={url} of={platform} />
          <div
            class="qr"
            role="img"
            aria-label={`QR code of the link to write a review at ${platform}`}
            dangerouslySetInnerHTML={{ __html: qr }}
          />
          <CopyField
            name={`words-${place}`}
            label="Message"
            value={`Thank you for your visit to ${name}. We would be glad about your review: ${url}`}
            of={platform}
          />
        </Card>
      ))}
    </>
  )
}
