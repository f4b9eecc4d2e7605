import type { SensitiveWords } from './lexicon'

const pl: SensitiveWords = {
  common:
    'i w na sie nie jest to z do bardzo za ale po od dla tak byl byla byli co jak juz moja moj mnie nas',
  injury:
    'zran*, rana, rany, ranny, ranna, ranni, skalecz*, obrazen*, uraz, urazu, urazow, wypadek, wypadku, szpital*, karetk*, pogotowi*, krew, krwi, krwia, krwaw*, oparz*, poparz*, zlamal*, zlaman*, zlamani*, upadl*, upadek, poslizg*, kawalek|kawalki|kawalka|odlamek|odlamki|odlamkiem szkla|metalu|plastiku|drutu, szklo w, zmarl*, smierc*, umarl*, umiera*, zemdl*, omdl*, zakrztus*, udusi*, niebezpiec*, pogryz*, ugryz*, porazen*, zab zlam*, ukruszyl*|ukruszylam|ukruszylem zab*, utonal, utopi*, samoboj*',
  illness:
    'choroba, choroby, chorobe, chorob, chory, chora, chorzy, chore, chorow*, zachorow*, rozchorow*, zatruc*, zatrul*, zatrucie, wymiot*, zwymiot*, rzyga*, nudnosci, mdlosci, biegunk*, salmonell*, goraczk*, alergiczn*, uczulen*, infekcj*, zakazen*, zakazil*, raka, grypa, bol|bole|bolal|bolow brzuch*, zawal*',
  police:
    'policj*, policjan*, komisariat*, napad*, napasc, napastow*, molestow*, grozil*, grozb*, pobil*, pobic*, pobity, pobita, przemoc*, kradziez*, ukrad*, skradzion*, zlodziej*, przestep*, gwalt, zgwalc*, uderzyl*',
  legal:
    'prawnik*, adwokat*, prawne, prawna, prawny, prawnie, prawnych, prawnej, do sadu, w sadzie, przed sadem, sadow*, pozew, pozwu, pozwe, pozwac, pozwiemy, odszkodowan*, zadoscuczynien*, uokik, rzecznik*, sanepid*, oszust*, prokuratur*, zaniedban*, inspekcj*',
  discrimination:
    'dyskrymin*, rasis*, rasist*, rasizm*, seksis*, seksizm*, homofob*, transfob*, ksenofob*, antysemi*, kolor|koloru|kolorem skory|mojej, bo jestem|jestesmy|jest czarn*|kobiet*|gejem|obcokraj*|ukrain*|niepelnospraw*|z',
  child:
    'dzieck*, dzieci*, dzieciak*, corka, corki, corke, corce, corecz*, syna, ~syn, synem, synow*, synek, synka, synkiem, niemowl*, wnuk*, wnucz*, maluch*, maluszk*, nastolat*, chlopczyk*, chlopiec, chlopca, dziewczynk*, nieletni*, bobas*, wozkiem, wozek',
}

const cs: SensitiveWords = {
  common: 'a je se na to v z do velmi ale po pro tak byl byla byli co jak uz moje muj nas jsme jsem',
  injury:
    'zranen*, zranil*, uraz, urazu, nemocnic*, sanitk*, zachrank*, pohotovost*, krev, krve, krvac*, popalen*, popalil*, oparen*, zlomen*, zlomil*, uklouzl*, upadl*, strep* skla, kus*|kousek|kousky skla|kovu|plastu, zemrel*, umrel*, smrt*, omdlel*, udusil*, dusil*, nebezpec*, pokousal*, sebevraz*',
  illness:
    'nemoc, nemoci, nemocny, nemocna, onemocn*, otrav*, zvracel*, zvracen*, poblil*, prujem*, salmonel*, horeck*, alergick*, infekc*, rakovin*',
  police:
    'polici*, policaj*, policist*, trestni*, napadl*, napaden*, obtezov*, vyhroz*, vyhruz*, nasili*, ukradl*, kradez*, zlodej*, uhodil*, zbil*',
  legal:
    'pravnik*, advokat*, soud, soudu, soudem, soudni*, zalob*, zaluj*, zazaluj*, odskodn*, pravni, hygien*, podvod*, coi, obchodni inspekc*',
  discrimination:
    'diskrimin*, rasis*, rasism*, sexis*, homofob*, xenofob*, barv* pleti|kuze, romove, protoze jsem cern*|rom*|cizin*|zena',
  child:
    'dite, ditet*, deti, detem, detsk*, detmi, detatk*, dcer*, syna, ~syn, synem, synovi, miminko*, miminku*, vnuk*, vnouc*, vnuc*, kojen*, batol*, nezletil*, holcick*, kocar*',
}

const ru: SensitiveWords = {
  injury:
    'травм*, ранен*, ранил*, поран*, пострада*, несчастн*, больниц*, скор* помощ*, скорую, кровь, крови, кровью, кровотеч*, ожог*, обожг*, обжег*, ошпар*, перелом*, сломал* зуб*|ног*|рук*, зуб сломал*, упал*, поскользн*, осколок*, осколк*, кус*|кусоч* стекл*|металл*|пластик*, стекло в, умер*, смерт*, погиб*, потеря* сознани*, обморок*, подавил*, задох*, опасн*, укусил*, укус*, самоубий*, утонул*',
  illness:
    'заболе*, болезн*, больно*, больной, отрав*, рвота, рвоты, рвало, вырва*, тошн*, стошн*, понос*, диаре*, сальмонел*, аллергич*, инфекц*, заразил*, рак, инфаркт*',
  police:
    'полиц*, милиц*, участков*, напал*, нападен*, домог*, угрож*, угроз*, насил*, изнасил*, избил*, ударил*, украл*, краж*, вор, воры, воровств*, преступ*',
  legal:
    'адвокат*, юрист*, суд, суда, суде, судом, суду, судеб*, иск, исков*, прокуратур*, роспотребнадзор*, защит* прав*, компенсац*, мошенни*, халатн*, жалоб*, юридич*',
  discrimination:
    'дискримин*, расис*, расизм*, сексис*, гомофоб*, ксенофоб*, антисемит*, цвет* кожи, национальност*, нерус*',
  child:
    'ребен*, дети, детей, детям, детьми, детях, детск*, детки, деткам, дочь, дочер*, дочк*, сын, сына, сыну, сыном, сынок, сынок*, сынишк*, малыш*, младен*, внук*, внуч*, подрост*, несовершенно*, школьник*, девочк*, мальчик*, коляск*',
}

const uk: SensitiveWords = {
  injury:
    'травм*, поранен*, поранил*, лікарн*, швидк* допомог*, швидку, кров, крові, опік*, перелом*, впав, впала, впали, послизн*, уламк*, шмат* скл*, скло в|у, помер*, смерт*, непритомн*, небезпечн*, вкусил*, задих*',
  illness:
    'хвор*, захвор*, отруєн*, отруїл*, отруіл*, отру*, блюв*, нудот*, нудило, пронос*, діаре*, сальмонел*, алергічн*, інфекц*',
  police:
    'поліц*, напав, напала, напад*, погрож*, погроз*, насил*, побив*, вдарив*, вкрал*, украл*, краді*, злоді*, злочин*',
  legal:
    'адвокат*, юрист*, суд, суду, суді, судом, судов*, позов*, компенсац*, шахра*, держпродспожив*, прокурат*, скарг*',
  discrimination: 'дискримін*, расис*, расизм*, сексис*, гомофоб*, ксенофоб*, колір|кольору шкіри',
  child:
    'дитин*, діти, дітей, дітьми, дітям, дітях, дитяч*, дочк*, доньк*, донечк*, син, сина, сином, синок, синочк*, малюк*, малеч*, немовл*, онук*, підліт*',
}

export const slavic: Readonly<Record<string, SensitiveWords>> = { pl, cs, ru, uk }
