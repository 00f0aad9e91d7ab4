import { ofCats, ofLimits, ofMean, published, type ReferenceRange } from "./reference-range.ts";

const bagardi = published("Bagardi et al. 2022, Vet Radiol Ultrasound 63:156–163", "PMC9299495");
const baisan = published("Baisan & Vulpe 2022, Vet Radiol Ultrasound 63:18–22", "PMID 34585453", "right_lateral");
const bavegems = published("Bavegems et al. 2005, Vet Radiol Ultrasound 46:400–403", null, "right_to_left");
const birks = published("Birks et al. 2017, J Am Anim Hosp Assoc 53:73", null, "right_lateral");
const bodh = published("Bodh et al. 2016, Vet World 9:371–376", "PMC4864478", "right_lateral");
const brittany = published("Vet Sci 2021, 8:300", "doi:10.3390/vetsci8120300", "right_lateral");
const buchanan = published("Buchanan & Bücheler 1995, J Am Vet Med Assoc 206:194–199", "PMID 7751220");
const cardoso = published("Cardoso et al. 2011, Cienc Rural 41:127–131", "SciELO vBgNQHX7gXS4bRyQrXnBPmy");
/** Also the source for vertebral anomalies, which raise the VHS in screw-tailed breeds. */
export const jepsenGrant = published("Jepsen-Grant et al. 2013, Vet Radiol Ultrasound 54:3–8", null, "right_lateral");
const kraetschmer = published(
  "Kraetschmer et al. 2008, J Small Anim Pract 49:240–243",
  "doi:10.1111/j.1748-5827.2007.00531.x",
);
const lamb = published("Lamb et al. 2001, Vet Rec 148:707–711", "doi:10.1136/vr.148.23.707", "right_lateral");
const litster = published("Litster & Buchanan 2000, J Am Vet Med Assoc 216:210–214", null);
const luciani = published(
  "Luciani et al. 2019, Anat Histol Embryol 48:264–267",
  "doi:10.1111/ahe.12434",
  "twenty_dogs",
);
const murphy = published("Murphy et al. 2024, Am J Vet Res 85", null);
const pinto = published("Pinto & Iwasaki 2004, Braz J Vet Res Anim Sci 41:261–267", null, "right_lateral");
const taylor = published("Taylor et al. 2020, Vet Radiol Ultrasound 61:10–15", null);
const vezzosi = published(
  "Vezzosi et al. 2020, Vet Radiol Ultrasound 61:507–511",
  "doi:10.1111/vru.12896",
  "limit_of_interface",
);
const wang = published("Wang et al. 2025, Am J Vet Res 86", "doi:10.2460/ajvr.25.02.0058");
const wiegel = published(
  "Wiegel et al. 2022, PLoS One 17:e0274085",
  "doi:10.1371/journal.pone.0274085",
  "right_lateral",
);
const bulldogs = { ...jepsenGrant, remark: "with_french_bulldogs" } as const;

/** VHS of healthy animals, in general and by breed. Breeds without a published range are not listed. */
export const vhsRanges: readonly ReferenceRange[] = [
  ofLimits(buchanan, { low: 8.5, high: 10.5 }),
  ofCats(litster, { low: 6.7, high: 8.1 }),
  ofLimits(wang, { low: 9.5, high: 11.5 }, "american_eskimo_dog"),
  ofMean("american_pit_bull_terrier", 10.9, 0.4, cardoso),
  ofMean("australian_cattle_dog", 10.5, 0.4, luciani),
  ofMean("beagle", 10.3, 0.4, kraetschmer),
  ofMean("boston_terrier", 11.7, 1.4, jepsenGrant),
  ofMean("boxer", 11.6, 0.8, lamb),
  ofMean("brittany", 10.6, 0.2, brittany),
  ofMean("bulldog", 12.7, 1.7, bulldogs),
  ofMean("cavalier_king_charles_spaniel", 10.08, 0.56, bagardi),
  ofLimits(birks, { low: 9.25, high: 11.55 }, "dachshund"),
  ofMean("doberman", 10, 0.6, lamb),
  ofMean("french_bulldog", 12.7, 1.7, bulldogs),
  ofMean("german_shepherd", 9.7, 0.7, lamb),
  ofMean("indian_spitz", 10.21, 0.13, bodh),
  ofMean("labrador_retriever", 10.39, 0.19, bodh),
  ofMean("lhasa_apso", 9.6, 0.8, jepsenGrant),
  ofMean("maltese", 9.53, 0.46, baisan),
  ofLimits(wang, { low: 9.4, high: 11.5 }, "miniature_australian_shepherd"),
  ofLimits(murphy, { low: 9.68, high: 12.07 }, "miniature_schnauzer"),
  ofMean("mongrel", 9.82, 0.21, bodh),
  ofMean("norwich_terrier", 10.6, 0.6, taylor),
  ofMean("pomeranian", 10.5, 0.9, jepsenGrant),
  ofMean("poodle", 10.12, 0.51, pinto),
  ofLimits(wiegel, { low: 10.1, high: 12.8 }, "pug"),
  ofMean("shih_tzu", 9.5, 0.6, jepsenGrant),
  ofMean("whippet", 11, 0.5, bavegems),
  ofMean("yorkshire_terrier", 9.9, 0.6, jepsenGrant),
];

export const vlasRanges: readonly ReferenceRange[] = [
  // The specification of /v3 defines values below 2.5 as normal; the study's own limit is lower.
  ofLimits(vezzosi, { low: null, high: 2.5, isHighExcluded: true }),
  ofLimits(wang, { low: 1.7, high: 2.4 }, "american_eskimo_dog"),
  ofMean("cavalier_king_charles_spaniel", 1.79, 0.3, bagardi),
  ofLimits(wang, { low: 1.7, high: 2.5 }, "miniature_australian_shepherd"),
  ofLimits(murphy, { low: 1.71, high: 2.4 }, "miniature_schnauzer"),
  ofLimits(wiegel, { low: 1.1, high: 2.8 }, "pug"),
];
