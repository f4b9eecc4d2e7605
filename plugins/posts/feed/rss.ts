import { escaped, type Feed, type FeedItem } from './feed-items'

/** Returns a feed as RSS 2.0. */
export function rssOf({ title, description, website, language, url, changed_at, items }: Feed): string {
  const own = `${url}/rss.xml`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom" xmlns:media="http://search.yahoo.com/mrss/">',
    '<channel>',
    element('title', title),
    element('link', website ?? own),
    element('description', description),
    language === undefined ? '' : element('language', language),
    element('lastBuildDate', new Date(changed_at).toUTCString()),
    `<atom:link href="${escaped(own)}" rel="self" type="application/rss+xml"/>`,
    ...items.map(itemOf),
    '</channel>',
    '</rss>',
    '',
  ]
    .filter((line, place, all) => line !== '' || place === all.length - 1)
    .join('\n')
}

const itemOf = ({ id, title, html, published_at, link, pictures }: FeedItem): string =>
  [
    '<item>',
    title === undefined ? '' : element('title', title),
    link === undefined ? '' : element('link', link),
    element('description', html),
    `<guid isPermaLink="false">${escaped(id)}</guid>`,
    element('pubDate', new Date(published_at).toUTCString()),
    ...pictures.map(
      ({ url, alt }) =>
        `<media:content url="${escaped(url)}" medium="image">${element('media:description', alt)}</media:content>`,
    ),
    '</item>',
  ].join('')

const element = (name: string, text: string) => `<${name}>${escaped(text)}</${name}>`
