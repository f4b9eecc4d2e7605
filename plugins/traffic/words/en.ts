import type { Messages } from 'renown/pages'

export default {
  navTraffic: 'AI traffic',
  navSites: 'Sites',
  navInstall: 'Install',
  navNewAgents: 'New agents',
  setup: 'Count AI traffic',
  kindSpoofed: 'Spoofed crawlers',
  spoofed: 'Spoofed',
  openTraffic: 'Open AI traffic',
  pretended: {
    one: '{count} hit pretended to be AI crawlers',
    other: '{count} hits pretended to be AI crawlers',
  },
  pretendedMost: {
    one: '{count} hit pretended to be AI crawlers, most of them {agent}',
    other: '{count} hits pretended to be AI crawlers, most of them {agent}',
  },
  outsideRanges: 'On {day}, their addresses were outside the ranges of the operators they named.',
  usualBefore: 'A usual day of the four weeks before it had {hits}.',
  usualBeforeDay: 'A usual day of the four weeks before {day} had {hits}.',
  blockThem: 'Block these addresses if they overload your server.',
  kindChanges: 'Crawler changes',
  stopped: 'Stopped',
  jumped: 'Jump',
  silent: 'Silent',
  checkLog: 'Check the log',
  openAgent: 'Open {agent}',
  hits: { one: '{count} hit', other: '{count} hits' },
  noneCounted: 'No crawler was counted any more',
  noneSince:
    'No hit has come since {day}; a usual day before had {hits}. Check whether the log is still sent.',
  agentStopped: '{agent} stopped coming',
  agentSince:
    'It has not come since {day}; a usual day before had {hits}. Other crawlers still come. Check whether robots.txt or a firewall refuses it.',
  agentJumped: { one: '{agent} came {count} time in a day', other: '{agent} came {count} times in a day' },
  jumpText:
    '{day} had more than three times as many hits as any day of the eight weeks before. A usual day had {hits}.',
  kindNewAgents: 'New agents',
  new: 'New',
  lookAt: 'New: look at {names}',
  lookAtMore: {
    one: 'New: look at {names} and {count} more',
    other: 'New: look at {names} and {count} more',
  },
  agentHits: '{agent}: {hits} hits, {days}.',
  atLeastAtMost: 'at least {least}, at most {most}',
  onDay: 'on {day}',
  fromTo: '{start} to {end}',
  unknownAgents: 'They look like agents, but the registry does not know them, so they are not counted.',
  openNewAgents: 'Open new agents',
} as const satisfies Messages
