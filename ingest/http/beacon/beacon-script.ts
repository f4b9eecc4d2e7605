import { type BeaconLists, beaconLists } from '../../judge/assistant'

export interface ScriptOptions {
  readonly respectDnt: boolean
  readonly isTrial: boolean
}

/**
 * Returns the script of a site.
 *
 * It posts once per page to its own address without `.js`, and only if an assistant referred the visitor. In a background
 * tab, and in a page that is rendered ahead, it waits until somebody looks. It matches hosts, Android packages and the marks of the assistants' browsers inside the page. It stores
 * nothing, and reports only the path and the match. As a module it finds its own tag.
 *
 * It respects Global Privacy Control, and `Do Not Track` if the site says so. It ignores automated browsers,
 * except on trial sites, and frames without their own address, such as `srcdoc`. `?renown_check=<nonce>`
 * reports a test visit, which is never counted.
 */
export function beaconScript(
  { respectDnt, isTrial }: ScriptOptions,
  lists: BeaconLists = beaconLists,
): string {
  const names = namesOf(lists)
  const dnt = respectDnt ? '&&n.doNotTrack!=1' : ''
  const driven = isTrial ? '' : '&&!n.webdriver'
  // Without a referrer, matches `utm_source` instead, as the host of an address without a scheme.
  return `(d=>{let n=navigator,l=location,r=d.referrer,s=d.currentScript||d.querySelector('script[src*="/s/rnw_"]'),\
u=s&&s.src.replace(/\\.js[^/]*$/,""),\
q=k=>new URLSearchParams(l.search).get(k),\
g=(k=q("renown_check"),m=(r||"//"+q("utm_source")+"/").match(/^[^/]*\\/\\/([^/]*\\.)?(${names})[:/]/i)||\
(!r&&/\\b(${lists.markers.join('|') || '(?!)'})\\/\\d/i.test(n.userAgent)?[""]:null))=>{\
(k||m${driven}&&!n.globalPrivacyControl${dnt}&&!performance.navigation?.type)&&\
fetch(u,{method:"POST",keepalive:!0,body:[k,m&&m[0],l.pathname]}).catch(q)};\
u&&/^h/.test(l.protocol)&&!d[u]&&(d[u]=d.hidden?d.addEventListener("visibilitychange",e=>g(),{once:!0})||1:g()||1)})(document)
`
}

// Leaves out hosts that are an assistant's only in part, because browsers shorten a referrer from another
// site to its origin.
function namesOf({ hosts, packages, utm }: BeaconLists): string {
  return byEnding(distinct([...hosts, ...packages, ...utm.filter((name) => !name.includes('.'))]))
}

/** Removes names whose parent is also in the list. */
function distinct(all: readonly string[]): string[] {
  return all.filter((name) => !all.some((other) => name !== other && name.endsWith(`.${other}`)))
}

/** Returns a pattern of alternatives that contains each last label once. */
function byEnding(all: readonly string[]): string {
  const groups = Map.groupBy(all.toSorted(), (name) => (name.includes('.') ? name.split('.').at(-1) : ''))
  return [...groups]
    .map(([ending, group]) => {
      if (!ending) return group.join('|')
      return `(${group.map((name) => name.slice(0, -ending.length - 1).replaceAll('.', '\\.')).join('|')})\\.${ending}`
    })
    .join('|')
}
