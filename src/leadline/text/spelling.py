"""Words with two right spellings: British and American, hyphened and not."""

from __future__ import annotations

import re

from leadline.text.words import words_of

_PAIRS = """
colour color | colours colors | behaviour behavior | behaviours behaviors | favour favor |
favourable favorable | labour labor | neighbour neighbor | neighbouring neighboring |
harbour harbor | honour honor | humour humor | tumour tumor | tumours tumors | vapour vapor |
flavour flavor | rumour rumor | odour odor | endeavour endeavor | rigour rigor |
centre center | centres centers | centred centered | theatre theater | metre meter |
metres meters | litre liter | litres liters | fibre fiber | fibres fibers | calibre caliber |
kilometre kilometer | kilometres kilometers | centimetre centimeter | millimetre millimeter |
catalogue catalog | catalogues catalogs | cataloguing cataloging | cataloguer cataloger |
catalogued cataloged | dialogue dialog | analogue analog | programme program |
programmes programs | modelling modeling | modelled modeled | labelling labeling |
labelled labeled | travelling traveling | traveller traveler | cancelled canceled |
cancelling canceling | signalling signaling | channelled channeled | levelled leveled |
fuelled fueled | counselling counseling | counsellor counselor | marvellous marvelous |
fulfil fulfill | enrolment enrollment | skilful skillful | instalment installment |
organise organize | organised organized | organising organizing | organisation organization |
organisations organizations | organisational organizational | utilise utilize |
utilised utilized | utilisation utilization | standardise standardize |
standardised standardized | standardisation standardization | mechanise mechanize |
mechanised mechanized | mechanisation mechanization | computerised computerized |
computerisation computerization | centralised centralized | centralisation centralization |
decentralised decentralized | decentralisation decentralization | generalised generalized |
generalisation generalization | specialised specialized | specialisation specialization |
realisation realization | recognise recognize | recognised recognized | summarise summarize |
summarises summarizes | summarised summarized | characterised characterized |
characterisation characterization | characterise characterize | emphasise emphasize |
emphasised emphasized | emphasises emphasizes | optimise optimize | optimised optimized |
optimisation optimization | optimising optimizing | minimise minimize | minimised minimized |
maximise maximize | ionisation ionization | ionised ionized | polarisation polarization |
polarised polarized | magnetisation magnetization | crystallisation crystallization |
linearised linearized | linearisation linearization | stabilise stabilize |
stabilised stabilized | stabilisation stabilization | stabilising stabilizing |
idealised idealized | visualisation visualization | hospitalised hospitalized |
hospitalisation hospitalization | immunisation immunization | sterilisation sterilization |
catheterisation catheterization | categorise categorize | prioritise prioritize |
criticise criticize | criticised criticized | analyse analyze | analysed analyzed |
analyses analyzes | analysing analyzing | analyser analyzer | paralysed paralyzed |
catalyse catalyze | defence defense | offence offense | licence license |
aluminium aluminum | grey gray | tyre tire | tyres tires | aeroplane airplane |
aeroplanes airplanes | aerofoil airfoil | aerofoils airfoils | sulphur sulfur |
sulphate sulfate | anaemia anemia | anaesthesia anesthesia | anaesthetic anesthetic |
haemoglobin hemoglobin | haemorrhage hemorrhage | haematoma hematoma | oedema edema |
oesophagus esophagus | oesophageal esophageal | paediatric pediatric |
paediatrics pediatrics | orthopaedic orthopedic | gynaecology gynecology |
leukaemia leukemia | diarrhoea diarrhea | foetus fetus | foetal fetal | caesarean cesarean |
encyclopaedia encyclopedia | encyclopaedias encyclopedias | archaeology archeology |
mediaeval medieval | manoeuvre maneuver | manoeuvres maneuvers | judgement judgment |
ageing aging | acknowledgement acknowledgment | cheque check | storey story | plough plow |
draught draft | sceptical skeptical | disc disk | discs disks | artefact artifact |
enquiry inquiry | enquiries inquiries | jewellery jewelry | mould mold | moult molt |
connexion connection | gramme gram | per_cent percent |
database data_base | databases data_bases | online on-line | offline off-line |
microfilm micro-film | email e-mail | website web_site | healthcare health_care |
cooperation co-operation | coordination co-ordination | cooperative co-operative |
coordinate co-ordinate | coordinates co-ordinates | reentry re-entry | reuse re-use |
subsystem sub-system | multichannel multi-channel | nonlinear non-linear |
nonuniform non-uniform | noncirculating non-circulating | nonequilibrium non-equilibrium |
lowpass low-pass | waveguide wave_guide | waveguides wave_guides | bandwidth band_width |
airflow air_flow | workforce work_force | decision-making decision_making |
followup follow-up | checkup check-up | xray x-ray | xrays x-rays | feedback feed-back |
semiconductor semi-conductor | semiconductors semi-conductors | sidewall side_wall |
crossflow cross-flow | setup set-up | textbook text_book | textbooks text_books |
handbook hand-book | worldwide world-wide | nationwide nation-wide | lifelong life-long
"""
_ONE_WAY = frozenset({"check", "story", "draft", "tire", "tires", "program", "programs", "license"})

SPELLINGS: dict[str, str] = {}
for _pair in _PAIRS.split("|"):
    _one, _other = (word.replace("_", " ") for word in _pair.split())
    SPELLINGS.setdefault(_one, _other)
    if _other not in _ONE_WAY:
        SPELLINGS.setdefault(_other, _one)

_SPELLED = re.compile(
    rf"(?<![\w-])(?:{'|'.join(sorted(map(re.escape, SPELLINGS), key=len, reverse=True))})(?![\w-])",
    re.IGNORECASE,
)
_HYPHENED = re.compile(r"(?<![\w-])([^\W\d_]{2,20})-([^\W\d_]{2,20})(?![\w-])")
_PREFIXES = words_of("non re co pre sub multi semi anti inter over under micro")


def respelled(text: str) -> tuple[str, str]:
    """Return the text with every word that has another right spelling in that one.

    Words of a list come first; where there are none, hyphened words lose their hyphen. Returns
    (text, what changed); what changed is empty when nothing did.
    """
    changes: list[str] = []

    def other(match: re.Match[str]) -> str:
        word = match.group()
        spelled = _like(SPELLINGS[word.lower()], word)
        changes.append(f"{word} -> {spelled}")
        return spelled

    def parted(match: re.Match[str]) -> str:
        joint = "" if match[1].lower() in _PREFIXES else " "
        spelled = f"{match[1]}{joint}{match[2]}"
        changes.append(f"{match.group()} -> {spelled}")
        return spelled

    respelled_text = _SPELLED.sub(other, text)
    if not changes:
        respelled_text = _HYPHENED.sub(parted, text)
    return respelled_text, "; ".join(changes)


def _like(spelled: str, written: str) -> str:
    if written.isupper():
        return spelled.upper()
    return spelled[0].upper() + spelled[1:] if written[0].isupper() else spelled
