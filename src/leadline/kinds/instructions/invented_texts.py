"""What is said of invented household appliances, as data: things, jobs, ways to tell of them.

`{model}` is an invented name, `{thing}` the appliance in the language at hand.
"""

from __future__ import annotations

from typing import NamedTuple

BRANDS = (
    "Velora", "Kestrin", "Ombrik", "Tavoli", "Nordhem", "Parvane", "Quillon", "Rosmere", "Sablon",
    "Tindral", "Ulvane", "Wexley", "Yarrin", "Zephora", "Ardeno", "Brisca", "Cintra", "Dovane",
    "Elmora", "Fennick",
)  # fmt: skip

THINGS = (
    ("kettle", "电热水壶", "la bouilloire"),
    ("coffee maker", "咖啡机", "la cafetière"),
    ("steam iron", "蒸汽熨斗", "le fer à vapeur"),
    ("humidifier", "加湿器", "l'humidificateur"),
    ("rice cooker", "电饭煲", "le cuiseur à riz"),
    ("dishwasher", "洗碗机", "le lave-vaisselle"),
    ("washing machine", "洗衣机", "le lave-linge"),
    ("water heater", "热水器", "le chauffe-eau"),
    ("soup maker", "豆浆机", "le blender chauffant"),
    ("steam oven", "蒸烤箱", "le four à vapeur"),
)
"""In English, Chinese and French."""


class Job(NamedTuple):
    """Something that is done to an appliance, told in several ways.

    verb      completes "How do I ...?" once `{it}` is the appliance
    things    appliances that it is done to, in English
    steps     three, each completes "you ..."
    why       a plain reason, and the same for people of the trade
    ways      three ways to do it, each with words that only that one has: (words, sentence)
    before    completes "Before you begin, ..."
    again     completes "Do it again ..."
    command   what does it over the appliance's own shell
    """

    name: str
    verb: str
    things: tuple[str, ...]
    steps: tuple[str, str, str]
    why: str
    trade: str
    ways: tuple[tuple[str, str], tuple[str, str], tuple[str, str]]
    before: str
    again: str
    command: str
    chinese: str
    french: str


JOBS = (
    Job(
        "descale",
        "descale {it}",
        ("kettle", "coffee maker", "steam iron", "humidifier", "water heater", "steam oven"),
        (
            "empty the tank and pour in half a litre of mild acid",
            "let it stand for twenty minutes",
            "rinse the tank twice with fresh water",
        ),
        "Hard water leaves a white crust inside, a bit like the one on an old tap, and the heat "
        "can't get through it.",
        "Precipitation of calcium carbonate on the heating element raises thermal resistance and "
        "accelerates thermostat cycling; dissolution with a dilute organic acid restores the "
        "nominal heat flux.",
        (
            ("citric acid", "Dissolve two spoons of citric acid in the tank and let it stand."),
            ("white vinegar", "Fill the tank with equal parts of white vinegar and water."),
            ("descaling tablets", "Drop two descaling tablets into the full tank and wait."),
        ),
        "unplug the appliance and let it cool",
        "every six months",
        "care start --programme descale --minutes 20",
        "{model}{thing}除垢：先把水箱倒空，加入半升稀酸溶液，静置二十分钟，再用清水冲洗两遍。水质硬的地方每两个月做一次。",
        "Pour détartrer {thing} {model}, videz le réservoir et versez un demi-litre d'acide doux. "
        "Laissez agir vingt minutes, puis rincez deux fois à l'eau claire. Là où l'eau est dure, "
        "recommencez tous les deux mois.",
    ),
    Job(
        "reset",
        "reset {it}",
        tuple(english for english, _, _ in THINGS),
        (
            "unplug it and wait for one minute",
            "hold the round button while you plug it in again",
            "let the button go when the lamp turns green",
        ),
        "Its little computer sometimes gets stuck, just like a phone does, and a fresh start sorts "
        "it out.",
        "A latched fault register in the microcontroller persists until supply voltage "
        "decays below "
        "the brown-out threshold; a forced cold boot reinitialises the non-volatile configuration.",
        (
            ("paper clip", "Push a straightened paper clip into the small hole underneath."),
            ("service menu", "Open the service menu with three short presses and choose restart."),
            ("mains switch", "Turn it off at the mains switch and leave it off overnight."),
        ),
        "write down the settings that you want to keep",
        "only when it gets stuck once more",
        "system reboot --cold --wait 60",
        "{model}{thing}恢复出厂设置：拔掉电源等一分钟，按住圆形按钮重新插电，指示灯变绿后松开按钮。之后需要重新设定时间。",
        "Pour réinitialiser {thing} {model}, débranchez l'appareil et attendez une minute. "
        "Rebranchez en gardant le bouton rond enfoncé et relâchez quand le voyant devient vert. "
        "Il faut ensuite régler l'heure à nouveau.",
    ),
    Job(
        "filter",
        "clean the filter of {it}",
        ("coffee maker", "humidifier", "dishwasher", "washing machine", "water heater"),
        (
            "open the flap at the back and pull the filter out",
            "wash it in lukewarm water",
            "put it back when it is quite dry",
        ),
        "Fluff and grit end up in the little sieve, and after a while water has trouble "
        "getting by.",
        "Particulate loading increases the differential pressure across the mesh, so "
        "that volumetric "
        "flow falls below specification and pump cavitation becomes probable.",
        (
            ("soft toothbrush", "Go over the mesh with a soft toothbrush under running water."),
            ("baking soda", "Soak the mesh for an hour in warm water with baking soda."),
            ("compressed air", "Blow the mesh out from the clean side with compressed air."),
        ),
        "unplug the appliance and let it cool",
        "every other month",
        "care filter --unlock && care filter --reset-counter",
        "{model}{thing}清洗滤网：打开背面的盖板，取出滤网，用温水冲洗，完全晾干以后再装回去。滤网破损时要换新的。",
        "Pour nettoyer le filtre, ouvrez le volet à l'arrière : {thing} {model} laisse "
        "alors sortir "
        "le filtre. Lavez-le à l'eau tiède et remettez-le une fois bien sec. Un filtre abîmé se "
        "remplace.",
    ),
    Job(
        "seal",
        "replace the door seal of {it}",
        ("dishwasher", "washing machine", "steam oven"),
        (
            "pull the old seal out of its groove, beginning at the bottom",
            "wipe the groove with a damp cloth",
            "press the new seal in with your thumbs",
        ),
        "The rubber ring gets hard with age, like an old garden hose, and then it drips.",
        "Elastomer ageing through thermo-oxidative embrittlement reduces the compression "
        "set margin; "
        "leakage ensues once contact pressure drops beneath the operating pressure.",
        (
            ("silicone grease", "Rub a little silicone grease on the new ring before it goes in."),
            ("hair dryer", "Warm the new ring with a hair dryer until it bends easily."),
            (
                "wooden spoon",
                "Use the handle of a wooden spoon to press the ring into its corners.",
            ),
        ),
        "unplug the appliance and let it cool",
        "as soon as it drips once more",
        "door unlock --force && sensor calibrate --door",
        "{model}{thing}更换密封圈：从下方开始把旧密封圈拉出凹槽，用湿布擦净凹槽，再用拇指把新密封圈压进去。装好后试一次是否漏水。",
        "Pour changer le joint, tirez l'ancien hors de sa rainure en commençant par le "
        "bas ; {thing} "
        "{model} n'a pas besoin d'être démonté. Essuyez la rainure et enfoncez le joint neuf avec "
        "les pouces.",
    ),
    Job(
        "network",
        "connect {it} to the home network",
        tuple(english for english, _, _ in THINGS if english != "steam iron"),
        (
            "open the app and choose “add appliance”",
            "hold the wireless button until it blinks",
            "type in the password of your network",
        ),
        "The two need to be introduced once, a bit like new neighbours, and then they "
        "remember each "
        "other.",
        "Provisioning proceeds over an ephemeral access point: credentials are exchanged under "
        "elliptic-curve key agreement, after which the station associates in infrastructure mode.",
        (
            ("pairing code", "Type the pairing code from the underside into the app."),
            ("guest network", "Set up a guest network first and let the appliance join that."),
            ("ethernet adapter", "Plug an ethernet adapter into the port behind the flap."),
        ),
        "leave the appliance plugged in and have your telephone at hand",
        "only when the password of the network changes",
        "network join --ssid HOME --ask-password",
        "{model}{thing}连接家庭网络：打开手机应用，选择“添加电器”，按住无线按钮直到闪烁，然后输入网络密码。只支持较慢的频段。",
        "Pour relier {thing} {model} au réseau de la maison, ouvrez l'application et choisissez "
        "« ajouter un appareil ». Gardez le bouton sans fil enfoncé jusqu'à ce qu'il "
        "clignote, puis "
        "tapez le mot de passe du réseau.",
    ),
)

NAMES = (
    "Ada Lindqvist", "Bo Marchetti", "Cleo Anders", "Dario Finch", "Edda Morrow", "Felix Tarn",
    "Greta Holm", "Hugo Selby", "Ines Calder", "Jonas Wick",
)  # fmt: skip
USERS = (
    ("drip_dry", "tinker_tom"), ("kitchen_owl", "old_hand"), ("sudsy", "fixit_fay"),
    ("plugged_in", "watt_now"), ("teapot_ted", "mrs_spanner"),
)  # fmt: skip
TOWNS = ("LEEDS", "CORK", "OSLO", "GHENT", "TURIN", "PORTO", "GRAZ", "MALMO")
