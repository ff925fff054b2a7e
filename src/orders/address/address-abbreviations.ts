import { foldText } from './clean-text.ts';

// Entries have the form "word Abbreviation", one list per language. The English list is USPS Publication 28 (directionals,
// street suffixes, secondary units) plus Saint. The other lists contain common postal abbreviations.
const ABBREVIATIONS = {
  en: `north N, south S, east E, west W, northeast NE, northwest NW, southeast SE, southwest SW, saint St,
    alley Aly, annex Anx, arcade Arc, avenue Ave, bayou Byu, beach Bch, bend Bnd, bluff Blf, bluffs Blfs, bottom Btm,
    boulevard Blvd, branch Br, bridge Brg, brook Brk, brooks Brks, bypass Byp, camp Cp, canyon Cyn, cape Cpe,
    causeway Cswy, center Ctr, centers Ctrs, centre Ctr, circle Cir, circles Cirs, cliff Clf, cliffs Clfs, club Clb,
    common Cmn, commons Cmns, corner Cor, corners Cors, course Crse, court Ct, courts Cts, cove Cv, coves Cvs,
    creek Crk, crescent Cres, crest Crst, crossing Xing, crossroad Xrd, crossroads Xrds, curve Curv, dale Dl, dam Dm,
    divide Dv, drive Dr, drives Drs, estate Est, estates Ests, expressway Expy, extension Ext, extensions Exts,
    falls Fls, ferry Fry, field Fld, fields Flds, flat Flt, flats Flts, ford Frd, fords Frds, forest Frst, forge Frg,
    forges Frgs, fork Frk, forks Frks, fort Ft, freeway Fwy, garden Gdn, gardens Gdns, gateway Gtwy, glen Gln,
    glens Glns, green Grn, greens Grns, grove Grv, groves Grvs, harbor Hbr, harbors Hbrs, harbour Hbr, haven Hvn,
    heights Hts, highway Hwy, hill Hl, hills Hls, hollow Holw, inlet Inlt, island Is, islands Iss, junction Jct,
    junctions Jcts, key Ky, keys Kys, knoll Knl, knolls Knls, lake Lk, lakes Lks, landing Lndg, lane Ln, light Lgt,
    lights Lgts, loaf Lf, lock Lck, locks Lcks, lodge Ldg, manor Mnr, manors Mnrs, meadow Mdw, meadows Mdws, mill Ml,
    mills Mls, mission Msn, motorway Mtwy, mount Mt, mountain Mtn, mountains Mtns, neck Nck, orchard Orch,
    overpass Opas, parkway Pkwy, parkways Pkwy, passage Psge, pine Pne, pines Pnes, place Pl, plain Pln, plains Plns,
    plaza Plz, point Pt, points Pts, port Prt, ports Prts, prairie Pr, radial Radl, ranch Rnch, rapid Rpd, rapids Rpds,
    rest Rst, ridge Rdg, ridges Rdgs, river Riv, road Rd, roads Rds, route Rte, shoal Shl, shoals Shls, shore Shr,
    shores Shrs, skyway Skwy, spring Spg, springs Spgs, square Sq, squares Sqs, station Sta, stravenue Stra,
    stream Strm, street St, streets Sts, summit Smt, terrace Ter, throughway Trwy, trace Trce, track Trak,
    trafficway Trfy, trail Trl, tunnel Tunl, turnpike Tpke, underpass Upas, union Un, unions Uns, valley Vly,
    valleys Vlys, viaduct Via, view Vw, views Vws, village Vlg, villages Vlgs, ville Vl, vista Vis, well Wl, wells Wls,
    apartment Apt, basement Bsmt, building Bldg, department Dept, floor Fl, front Frnt, hangar Hngr, lobby Lbby,
    lower Lowr, office Ofc, penthouse Ph, room Rm, space Spc, suite Ste, trailer Trlr, upper Uppr`,
  de: `straße Str., strasse Str., platz Pl., sankt St., gasse G., postfach Postf., hausnummer Nr., nummer Nr.,
    gebäude Geb., wohnung Whg., appartement App., apartment App., etage Et., stockwerk Stw., erdgeschoss EG,
    erdgeschoß EG, obergeschoss OG, obergeschoß OG, dachgeschoss DG, dachgeschoß DG, untergeschoss UG, untergeschoß UG,
    hinterhaus HH, vorderhaus VH, seitenflügel SF, aufgang Aufg., doktor Dr., professor Prof., bürgermeister Bgm.`,
  fr: `avenue Av., boulevard Bd, rue R., place Pl., allée All., allées All., chemin Ch., route Rte, impasse Imp.,
    square Sq., cours Crs, faubourg Fbg, passage Pass., promenade Prom., quartier Qua., lieu-dit LD, lotissement Lot.,
    hameau Ham., résidence Rés., bâtiment Bât., immeuble Imm., appartement App., escalier Esc., étage Ét., saint St,
    sainte Ste, général Gal, maréchal Mal, docteur Dr, professeur Pr, président Pdt, commandant Cdt, capitaine Cne,
    colonel Cel`,
  es: `calle C/, avenida Av., plaza Pza., paseo P.º, carretera Ctra., camino Cno., callejón Cjón., travesía Trva.,
    glorieta Gta., ronda Rda., urbanización Urb., polígono Pol., industrial Ind., residencial Res., colonia Col.,
    fraccionamiento Fracc., barrio B.º, bloque Blq., edificio Edif., escalera Esc., apartamento Apto.,
    departamento Depto., puerta Pta., planta Pl., principal Pral., entresuelo Entlo., izquierda Izda., derecha Dcha.,
    interior Int., exterior Ext., manzana Mz., número N.º, kilómetro Km, santa Sta., santo Sto., doctor Dr.,
    doctora Dra., general Gral., coronel Cnel., capitán Cap., presidente Pdte., profesor Prof., ingeniero Ing.`,
  it: `via V., viale V.le, piazza P.za, piazzale P.le, piazzetta P.tta, corso C.so, largo L.go, vicolo Vic.,
    strada Str., contrada C.da, borgo B.go, località Loc., frazione Fraz., quartiere Q.re, traversa Trav.,
    circonvallazione Circ.ne, palazzo Pal., palazzina Pal.na, edificio Ed., scala Sc., interno Int., piano P.,
    appartamento App., condominio Cond., san S., santa S., santo S., generale Gen., dottor Dott.,
    professor Prof., presidente Pres., monsignor Mons.`,
  pt: `rua R., avenida Av., praça Pç., travessa Tv., alameda Al., estrada Estr., rodovia Rod., largo Lgo., parque Pq.,
    jardim Jd., vila Vl., quadra Qd., lote Lt., loteamento Lot., conjunto Cj., residencial Res., condomínio Cond.,
    edifício Ed., bloco Bl., apartamento Apto., andar And., sala Sl., fundos Fds., esquerdo Esq., direito Dto.,
    número N.º, quilômetro Km, quilómetro Km, santa Sta., santo Sto., são S., doutor Dr., doutora Dra.,
    professor Prof., professora Profa., engenheiro Eng., general Gen., coronel Cel., capitão Cap., presidente Pres.,
    senador Sen., deputado Dep., comendador Com.`,
  nl: `straat Str., laan Ln., plein Pln., gracht Gr., kade Kd., singel Sngl., boulevard Blvd., steenweg Stwg.,
    postbus Pb., appartement App., verdieping Verd., gebouw Geb., sint St., nieuwe Nwe., oude O.,
    burgemeester Burg., dokter Dr., doctor Dr., professor Prof., meester Mr., pastoor Past., kapelaan Kap.,
    generaal Gen., koningin Kon., prinses Pr., prins Pr.`,
};

type Language = keyof typeof ABBREVIATIONS;

const SPEAKERS: Readonly<Record<string, readonly Language[]>> = {
  ...toSpeakers(['de'], 'AT DE LI'),
  ...toSpeakers(['fr'], 'BL FR GF GP MC MF MQ NC PF PM RE WF YT'),
  ...toSpeakers(['es'], 'AD AR BO CL CO CR CU DO EC ES GT HN MX NI PA PE PR PY SV UY VE'),
  ...toSpeakers(['it'], 'IT SM VA'),
  ...toSpeakers(['pt'], 'AO BR CV MZ PT'),
  ...toSpeakers(['nl'], 'AW BQ CW NL SR SX'),
  ...toSpeakers(['de', 'fr', 'it'], 'CH'),
  ...toSpeakers(['fr', 'de'], 'LU'),
  ...toSpeakers(['nl', 'fr', 'de'], 'BE'),
  ...toSpeakers(['en', 'fr'], 'CA'),
};

const TABLES = new Map(
  Object.entries(ABBREVIATIONS).map(([language, list]) => [language, new Map(parseEntries(list))]),
);

/**
 * Replaces whole words, starting with the last, with their postal abbreviations until `fit` accepts the words. Returns null if `fit` never
 * accepts them. Uses the abbreviations for the country's languages, or English ones if this file does not list the country. Parts of a
 * hyphenated word count as words. `abbreviated` is the number of replaced words.
 */
export function abbreviateUntil<T>(
  words: readonly string[],
  country: string,
  fit: (words: readonly string[]) => T | null,
): { fitted: T; abbreviated: number } | null {
  const shorter = [...words];
  let abbreviated = 0;
  for (const [index, word] of [...words.entries()].toReversed()) {
    const parts = word.split('-');
    for (const [place, part] of [...parts.entries()].toReversed()) {
      const abbreviation = abbreviationOf(part, country);
      if (abbreviation === null) continue;
      parts[place] = abbreviation;
      shorter[index] = parts.join('-');
      abbreviated += 1;
      const fitted = fit(shorter);
      if (fitted !== null) return { fitted, abbreviated };
    }
  }
  return null;
}

function abbreviationOf(word: string, country: string): string | null {
  const { before, core, after } = splitPunctuation(word);
  for (const language of SPEAKERS[country] ?? ['en']) {
    const abbreviation = TABLES.get(language)?.get(foldText(core));
    if (abbreviation !== undefined) return before + matchCase(core, abbreviation) + after;
  }
  return null;
}

/** Splits off one opening bracket or quotation mark, and all trailing commas, semicolons, colons, closing brackets and quotation marks. */
function splitPunctuation(word: string): { before: string; core: string; after: string } {
  const start = word.startsWith('(') || word.startsWith('"') ? 1 : 0;
  let end = word.length;
  while (end > start && ',;:)"'.includes(word.charAt(end - 1))) end -= 1;
  return { before: word.slice(0, start), core: word.slice(start, end), after: word.slice(end) };
}

function matchCase(word: string, abbreviation: string): string {
  if (word === word.toUpperCase()) return abbreviation.toUpperCase();
  return word === word.toLowerCase() ? abbreviation.toLowerCase() : abbreviation;
}

function parseEntries(list: string): [string, string][] {
  return list.split(',').map((entry) => {
    const [word = '', abbreviation = ''] = entry.trim().split(' ');
    return [foldText(word), abbreviation];
  });
}

function toSpeakers(languages: readonly Language[], countries: string): Record<string, readonly Language[]> {
  return Object.fromEntries(countries.split(' ').map((country) => [country, languages]));
}
