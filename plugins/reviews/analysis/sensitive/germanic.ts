import type { SensitiveWords } from './lexicon'

const en: SensitiveWords = {
  common: 'the and was were is are this that with have had very for you we our there my they it of to in at',
  injury:
    'injur*, hurt, hurts, hurting, wound, wounds, wounded, bleed*, bled, blood, bruise*, bruising, broke|broken|breaking|fractured|cracked|chipped|lost|knocked my|his|her|our|their|a|an|out|front tooth|teeth|arm|leg|bone|wrist|ankle|hip|nose|rib|ribs|finger|tooth, broken|chipped|cracked tooth|arm|leg|bone|wrist|ankle|hip|nose|rib|ribs|finger, fractur*, burned|burnt|burns my|his|her|our|their|herself|himself|myself|on, third|second degree, scald*, got burned|burnt|stung|electrocuted, concuss*, ambulance*, paramedic*, emergency room|services|department|surgery|doctor, hospital, hospitals, hospitl, hospitalis*, hospitaliz*, stitches, unconscious, faint, fainted, fainting, passed out, passed away, collapsed, choke, choked, choking, suffocat*, electrocut*, electric shock, drown*, fell down|off|over|and|on|through|from|onto|into, slipped and|on, tripped over|on, cut my|his|her|himself|herself|myself|open, glass|metal|plastic|wire|nail|screw|needle|razor in|inside, piece|pieces|shard|shards|splinter|splinters|bit|bits of glass|metal|plastic|wire, shard*, broken glass, amputat*, paralys*, paralyz*, miscarr*, died, dying, death*, killed, fatal*, suicid*, life threatening, overdos*, anaphyla*, epipen, bitten, bit my|his|her|me|our, dangerous, unsafe, hazard*, carbon monoxide, gas leak, caught fire, house fire',
  illness:
    'sick, sickness, ill, illness*, unwell, vomit*, threw|throwing|throw|thrown up, puke*, puking, nausea*, nauseous, diarrh*, poison*, poisen*, posion*, salmonell*, e coli, listeria, norovirus, botulism, stomach bug|cramps|flu|pain|pains|ache|aches|upset|issues, upset stomach, fever*, allergic, cancer, tumour*, tumor*, chemo*, covid, heart attack*, a stroke, seizure*, epilep*, disease*, infect*, contaminat*, sepsis, rash, side effect*, misdiagnos*, legionnaire*',
  police:
    'police, policeman, policemen, policewoman, officers, cops, ~cop, sheriff*, called|call|calling|dial|dialled|dialed 911|999|112|101, arrest*, crime*, criminal*, law enforcement, assault*, sexual*, ~rape, raped, rapist*, molest*, grope*, groping, harass*, stalked, stalker*, stalking, threat*, weapon*, pulled|with a knife|gun, gunpoint, violence, violent*, beat|beaten me|him|her|up, punched, slapped, kicked me|him|her|my|our, hit me|him|her|my, theft*, stolen, stole, thief, thieves, robbed, robbery, burglar*, vandal*, drugged, spiked, abuse, abused, abusing',
  legal:
    'lawyer*, attorney*, solicitor*, barrister*, ~sue, sued, suing, sue them|you|him|her|this|u|ya|ur|yall, ima|imma|gonna|will|wanna sue, lawsuit*, law suit, litigat*, legal action|advice|proceedings|steps|team|threat|threats|representation|matter, legally, to court, in court, court case|order|action|date|room|summons, small claims, tribunal*, trading standards, ombudsman, consumer protection|rights, malpractice, negligen*, liable, liability, cease and desist, subpoena*, health inspect*|department|authorit*|board, environmental health, reported|reporting|report to|you|them|this, class action, defam*, libel*, slander*, fraud*, compensation, human rights, data protection, gdpr, breach of',
  discrimination:
    'discriminat*, racis*, racial*, sexis*, misogyn*, homophob*, transphob*, xenophob*, antisemit*, anti semit*, islamophob*, ableis*, ageis*, bigot*, prejudice*, because of my|our|his|her|their|the race|skin|colour|color|accent|religion|disability|age|gender|sex|sexuality|nationality|ethnicity|hijab|headscarf|background|origin|wheelchair, because i|he|she|we|im am|is|are|m|s black|brown|asian|gay|muslim|jewish|disabled|foreign*|indian|chinese|trans|african|mexican|polish|arab|hispanic|a|an|in, skin colo*, colour|color of my|our|his|her|their|your, slur*, hijab*, headscarf, refused to serve, refused service, refused entry, guide dog*, service dog|dogs|animal, go back to your|my, people like you|us, segregat*, n word, not welcome',
  child:
    'child, children, childrens, kid, kids, kiddo*, kiddies, toddler*, baby, babies, infant*, newborn*, daughter*, my|our|his|her|their|your|old|young|little|eldest|youngest son|sons|boy|boys|girl|girls|lad, grandson*, granddaughter*, grandchild*, grandkid*, stepson*, stepdaughter*, little|lil|young one|ones, lil man|girl|boy, teenager*, teen, teens, teenage, minors, my|our|his|her|a|their # year|yr|month|week|yo old|olds, schoolchild*, underage, school kid*, pushchair*, pram',
  harmless:
    'to die for, dying to, dying for, hurt to|the|my ask|try|wallet|bank|pocket, wouldn t hurt, never hurts, doesn t hurt, would not hurt, in stitches, sick of, sick beat|beats, home sick, wound up|around|down, blood orange|oranges|type, kid you|ding not|not, baby back|spinach|carrot|carrots|blue|grand|corn|potato|potatoes|gem|octopus|kale|leaf|pink|squid|leeks|greens|bok, fever tree|pitch, cabin fever, death by chocolate, stole my|our|the heart|hearts|show, crime not to|scene|novel, it s a|be crime, criminally good|underrated, killed it, killing it, sick view|views|burger|burgers|skills|cocktail|cocktails, drop dead, fainted praise, faint praise|smell, violently good, sick day, seasick, dangerously, beat|beaten up price, hit me up, glass|glasses in hand, metal in place, plastic in the, fell off the bone',
}

const de: SensitiveWords = {
  common:
    'der die das und ist war sehr ich wir mit nicht auch ein eine einen auf hat haben wurde sind beim zum man hier mein unser im den',
  injury:
    '*verletz*, *unfall*, unfalle, *notaufnahme*, krankenhaus*, *krankenwagen*, rettungswagen*, rettungsdienst*, notarzt*, sanitater*, blut, blutet*, blutend*, blutete, *blutung*, geblutet, wunde, wunden, *knochenbruch*, gebrochen*, mich|sich|uns|mir|hand|finger|mund verbrannt, verbruht*, *verbrennung*, gestolpert, ausgerutscht, gesturzt, sturz, gestorben, verstorben*, tod, todes*, todlich*, *lebensgefahr*, ohnmachtig, bewusstlos*, *splitter*, *scherbe*, glas|metall|draht|nagel|plastik im|in, glasstuck*, zahn|zahne abgebrochen|verloren|ausgebissen, prellung*, gehirnerschutterung, gebissen, biss mich|ihn|sie|meinen|unseren, gefahrlich*, erstick*, stromschlag*, ertrunken, selbstmord*, suizid*, wehgetan, schmerzen',
  illness:
    'krank, kranke, krankheit*, erkrank*, *vergift*, erbrech*, erbrochen, mich|sich|uns ubergeben, kotz*, gekotzt, durchfall*, salmonell*, *magenschmerz*, *bauchschmerz*, magen darm*, *bauchkrampf*, mir|uns|ihr|ihm|ihnen wurde|war|ist ubel|schlecht, wurde|war|ist mir|uns|ihr|ihm ubel|schlecht, ubelkeit, allergisch*, *infektion*, infiziert*, krebs, *herzinfarkt*, schlaganfall, fieber, keime, fehldiagnose*',
  police:
    '*polizei*, polizist*, *strafanzeig*, anzeige|anzeigen erstatt*|gegen|bei|machen|gemacht|gestellt, straftat*, kriminell*, kripo, belastig*, mich|sie|uns|ihn|mir angefasst, begrapsch*, begrabsch*, betatsch*, *ubergriff*, bedroh*, gedroht, drohte*, drohung*, mich|ihn|sie|uns|mir geschlagen, schlug|schlagt mich|ihn|sie|uns, gewalt, gewalttat*, *diebstahl*, gestohlen, geklaut, dieb, diebe, messer bedroht, einbruch, *missbrauch*',
  legal:
    '*anwalt*, *anwaelt*, meinen|unseren|meinem|unserem|mein|unser ra, vor gericht, gerichtlich*, gerichtsverfahren, amtsgericht, landgericht, verklag*, verklagt, klage, klage einreich*, rechtliche*, rechtsweg, rechtsstreit, schmerzensgeld, schadensersatz, schadenersatz, verbraucherzentrale, verbraucherschutz*, ordnungsamt, gesundheitsamt*, *veterinaramt*, lebensmittelkontroll*, lebensmitteluberwach*, abmahn*, juristisch*, betrug, betruger*, fahrlassig*, behandlungsfehler',
  discrimination:
    '*diskriminier*, *rassis*, *sexis*, *homophob*, *transphob*, *antisemit*, *fremdenfeindlich*, *auslanderfeindlich*, *auslander*, hautfarbe, kopftuch*, wegen meiner|seiner|ihrer|unserer|der|meines herkunft|hautfarbe|religion|behinderung|akzents|nationalitat|sprache, *behinderten* feindlich, *behindertenfeindlich*, nazi*',
  child:
    '~kind, kinder, kindern, kindes, kinde, kinderwagen*, kindergarten*, kinderfreundlich*, kinderkarte*, kindermenu*, kinderteller*, kinderstuhl*, kinderarzt*, kinderzimmer*, kindergeburtstag*, *kleinkind*, *schulkind*, *kindchen, enkel, enkelin*, enkeln, enkelkind*, tochter*, tochtern, sohn, sohne, sohnes, baby, babys, saugling*, jugendliche*, teenager, madchen, minderjahrig*, kids, mein|unser|meine|unsere kleine|kleiner|kleinen|kurze|junge',
  harmless:
    'nicht ubel, gar nicht ubel, tote hose, und sohne, kinderspiel, wunder*, todlich lecker, keine klage',
}

const nl: SensitiveWords = {
  common:
    'de het een en is was met voor niet van wij ik zijn ook aan op bij er heel erg naar maar onze mijn te in',
  injury:
    'gewond*, verwond*, letsel*, ongeluk, ongeval*, ziekenhuis*, ambulance*, spoedeisend*, eerste hulp, huisartsenpost, bloed, bloedde*, gebloed, bloeding*, mezelf|mij|zich|hand|mond|vinger|tong verbrand, brandwond*, gebroken been|arm|tand|pols|enkel|heup|neus|rib, been|arm|tand|pols|enkel|heup|neus gebroken, tand afgebroken|kwijt, van de trap|fiets gevallen, ~gevallen en, uitgegleden, gestruikeld, glas|metaal|plastic in mijn|het|de|zijn|haar|onze|ons, glasscherv*, scherf*, scherven, stuk|stukje|stukken|stukjes glas|metaal|plastic, overleden, dood, doodgegaan, levensgevaar*, flauwgevallen, bewusteloos, gestikt, stikte, *gevaarlijk*, gebeten, elektrocut*, verdronken, zelfmoord',
  illness:
    'ziek, zieke, ziekte*, *vergiftig*, overgegeven, overgeven, braken, gebraakt, braakte*, kotsen, gekotst, misselijk*, diarree, buikgriep, buikpijn, buikkramp*, salmonella, koorts, allergisch*, infectie*, besmet*, kanker, hartaanval, beroerte',
  police:
    'politie*, aangifte*, arrest*, gearresteerd, mishandel*, aangerand*, aanranding, bedreig*, geweld, gewelddadig*, intimid*, stalk*, gestolen, diefstal, dief, dieven, crimineel, criminelen, geslagen, misbruik*, lastiggevallen, lastig gevallen',
  legal:
    'advocaat, advocate, advocaten, rechtszaak, rechtszaken, rechtbank*, naar|voor de rechter, juridisch*, aanklag*, aangeklaagd, schadevergoeding*, schadeclaim*, aansprakelijk*, rechtsbijstand*, nvwa, voedsel en warenautoriteit, geschillencommissie*, consumentenbond, oplicht*, opgelicht, fraude*, nalatig*, gerechtelijk*',
  discrimination:
    '*discrimin*, *racis*, *seksis*, *homofob*, *transfob*, *antisemit*, huidskleur*, hoofddoek*, afkomst, buitenlander*, omdat ik|we|hij|zij|wij zwart*|buitenland*|homo*|moslim*|gehandicapt*|turk*|marokka*, omdat ik een, omdat we geen nederlands*, vanwege mijn|onze|zijn|haar geloof|beperking|accent|kleur|huid',
  child:
    '~kind, kinder*, kindje*, kleinkind*, kids, mijn|onze|zijn|haar|hun|n zoon|zoons|zonen, zoontje*, kleinzoon*, dochter*, kleindochter*, baby, babys, peuter*, kleuter*, tiener*, minderjarig*, jongetje*, klein|kleine|jong meisje*, schoolkind*, kinderwagen',
  harmless: 'per ongeluk, doodstil, dood normaal, kind of',
}

const sv: SensitiveWords = {
  common: 'och att det som en ett ar var inte med for pa vi jag mycket bra till av min har de den dar',
  injury:
    'skadad*, skador, skadade, skada sig, olycka, olyckan, olyckor, olycksfall*, sjukhus*, ambulans*, akuten, akutmottag*, blod, blodde, blodig*, blodning*, brannskad*, brande mig|sig, bruten|brutet|brot arm*|ben*|handled*|tand*|sin|armen|benet, benbrott, ramlade, halkade, snubblade, glasbit*, glassplitt*, glasskarv*, glas|metall i, bit|bitar glas|av, tand gick, ~dog, ~dod, doden, avled, avliden*, svimma*, medvetslos*, kvav*, satte i halsen, farlig*, livsfarlig*, bitit|biten av, bet mig|min|mitt|honom|henne, elchock*, drunkna*, sjalvmord*',
  illness:
    'sjuk, sjuka, sjukdom*, *forgift*, *magsjuk*, kraktes, kraktas, krakte, krakning*, krakas, spydde, illamaende, mar|ma|madde|mart illa, diarre*, salmonell*, feber, allergisk*, infektion*, cancer, hjartinfarkt*, ~smitta*, ont i magen',
  police:
    'polis*, *polisanmal*, anmald, misshand*, hotade*, hotad, hotar, hotelse*, hotfull*, trakasser*, overfall*, overfoll, ofred*, valdsam*, valdtakt*, valdt*, med|av vald, stold, stulen, stulit, stulna, tjuv*, brottslig*',
  legal:
    'advokat*, jurist*, juridisk*, domstol*, *stamning*, stamma dem|er|foretaget, tingsratt*, rattsl*, rattegang*, konsumentverk*, reklamationsnamnden, skadestand*, bedrager*, vardslos*, forsumlig*, miljo och halso*, halsoinspekt*',
  discrimination:
    '*diskriminer*, *rasis*, *sexis*, homofob*, transfob*, framlingsfientlig*, *antisemit*, hudfarg*, invandrare*, for att jag|vi|han|hon ar svart*|invandrar*|kvinn*|muslim*|homosex*|utlandsk*',
  child:
    '~barn, barnen, barnet, barnens, barnvanlig*, barnfamilj*, barnbarn*, *smabarn*, barnvagn*, barnmeny*, dotter, dottern, dottrar, min|var|hans|hennes|deras|vara son|soner, sonen, bebis*, spadbarn*, tonaring*, liten|lilla|sma flick*|pojk*, minderarig*, skolbarn*, kidsen',
  harmless: 'sjukt bra|god|gott|goda|snygg|kul|nojd, skadar inte, forgiftat bra',
}

const da: SensitiveWords = {
  common: 'og det er en et var ikke med for pa vi jeg meget til af min har de den der som hos blev',
  injury:
    'tilskadekom*, skadet, skadede, sygehus*, hospitalet, ambulance*, skadestue*, blod, blodte, brandsar, braekkede, braekket, glasskar*, glasstykke*, stykke|stykker glas, glas i, dode, ~dod, doden, besvimede, farlig*, livsfarlig*, ulykke*, bidt af, kvalt, faldt ned|og',
  illness:
    'syg, syge, sygdom*, *forgift*, kastede|kastet|kaste op, opkast*, diarre*, feber, allergisk*, infektion*, kraeft, maveonde',
  police:
    'politi, politiet, politianmeld*, overfald*, overfaldet, ~vold, voldelig*, truede, trusler, truet, chikane*, stjalet, tyveri*, kriminel*',
  legal:
    'advokat*, sagsog*, domstol*, retssag*, juridisk*, erstatning*, forbrugerombud*, forbrugerklage*, fodevarestyrels*, svindel*',
  discrimination:
    'diskrimin*, racis*, sexis*, homofob*, hudfarve*, fordi jeg er sort|muslim|indvandrer|udlaending',
  child:
    '~barn, ~born, bornene, barnet, bornefamil*, bornevenlig*, bornebarn*, borneborn*, datter*, dotre, min|vores|hans|hendes son|sonner, sonnen, baby, babyer, spaedbarn*, teenager*, mindrearig*, bornemenu*',
}

const nb: SensitiveWords = {
  common: 'og det er en et var ikke med for pa vi jeg veldig til av min har de den der som hos ble',
  injury:
    'skadet, skadde, sykehus*, ambulanse*, legevakt*, blod, blodde, brannsar, brannskad*, brakk, brukket, glasskar*, glassbit*, glass i, bit|biter glass|av, ~dode, ~dod, doden, besvimte, farlig*, livsfarlig*, ulykke*, bitt av, kvalt, falt ned|og, skled pa|og',
  illness:
    'syk, syke, sykdom*, *forgift*, kastet|kaste opp, oppkast*, diare*, feber, allergisk*, infeksjon*, kreft, magesyke',
  police:
    'politi, politiet, politianmeld*, overfalt, overfall*, ~vold, voldelig*, truet, trusler, truende, trakasser*, stjalet, tyveri*, kriminel*',
  legal:
    'advokat*, saksok*, domstol*, rettssak*, juridisk*, erstatning*, forbrukerrad*, forbrukertilsyn*, mattilsyn*, svindel*',
  discrimination:
    'diskrimin*, rasis*, sexis*, kjonnsdiskrim*, homofob*, hudfarge*, fordi jeg er svart|muslim|innvandrer|utlending',
  child:
    '~barn, barna, barnet, barnevennlig*, barnefamil*, barnebarn*, datter*, dotre, min|var|hans|hennes sonn|gutt, sonnen, baby, babyer, spedbarn*, tenaring*, mindrearig*, barnemeny*',
}

export const germanic: Readonly<Record<string, SensitiveWords>> = { en, de, nl, sv, da, nb }
