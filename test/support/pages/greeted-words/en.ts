export default {
  title: 'Greeted from afar',
  stars: { one: '{count} shining star', other: '{count} shining stars' },
  link: 'Go to {page}, please.',
  untranslated: 'Nobody said this in German',
} as const
